import typing
from importlib import import_module

if typing.TYPE_CHECKING:
    from .main import BaseModel
    from .fields import Field

__all__ = ("BaseModel", "Field", "computed", "old_name")

_dynamic_imports: dict[str, tuple[str, str]] = {
    "BaseModel": (__spec__.parent, ".main"),
    "Field": (__spec__.parent, ".fields"),
    "computed": (__spec__.parent, ".fields"),
    "old_name": (__spec__.parent, "__module__"),
}

def __getattr__(attr_name: str) -> object:
    package, module_name = _dynamic_imports[attr_name]
    if module_name == "__module__":
        return import_module(f".{attr_name}", package=package)
    return getattr(import_module(module_name, package=package), attr_name)

def __dir__() -> list[str]:
    return list(__all__)
