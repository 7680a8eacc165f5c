import socket as _socket
import typing as _t

globals().update({name: getattr(_socket, name) for name in _socket.__all__ if name.isupper()})

if _t.TYPE_CHECKING:
    from socket import AF_INET as AF_INET
    BIND_ADDRESS: int
