try:
    from .socks import Proxy
except ImportError:

    class Proxy:
        def __init__(self, *args, **kwargs) -> None:
            raise RuntimeError()
