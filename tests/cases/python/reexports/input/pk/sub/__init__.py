from .deep import deepest as deepest
from .deep import not_in_init
from json import dumps

def thing() -> int: ...
