from base import *
__all__ = ['here', 'helper', 'Base']
