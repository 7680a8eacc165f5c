def f(x, y=1):
    '''Doc in the source.'''
    return x

def only_in_source(): ...
