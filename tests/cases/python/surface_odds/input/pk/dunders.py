__version__ = '1'
__author__ = 'me'
__all__ = ['x']
x = 1
_y = 2
