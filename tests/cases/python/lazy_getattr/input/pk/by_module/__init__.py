_LAZY = {"first": "pk.by_module._impl", "second": "._impl", "third": "_impl"}

def __getattr__(name):
    if name in _LAZY:
        import importlib
        return getattr(importlib.import_module(_LAZY[name], __name__), name)
    raise AttributeError(name)
