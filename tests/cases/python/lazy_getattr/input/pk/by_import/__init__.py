def __getattr__(name):
    if name == "Client":
        from ._client import Client
        return Client
    if name == "legacy":
        import warnings
        warnings.warn("gone")
        from ._client import modern as legacy
        return legacy
    raise AttributeError(name)
