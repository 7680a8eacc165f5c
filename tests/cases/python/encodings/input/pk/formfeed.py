X = 1

def f(a): ...
Y = 2
