from ._inner import moved as moved
