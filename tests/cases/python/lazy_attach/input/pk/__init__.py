"""Served by lazy_loader (SPEC 1)."""
import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submodules=["filters"],
    submod_attrs={
        "_edges": ["sobel", "canny"],
        "shapes": ["Circle"],
    },
)
