_import_structure = {
    "_models": ["Model", "Config"],
    "utils": ["helper"],
}

def __getattr__(name):
    for module, names in _import_structure.items():
        if name in names:
            import importlib
            return getattr(importlib.import_module("." + module, __name__), name)
    raise AttributeError(name)
