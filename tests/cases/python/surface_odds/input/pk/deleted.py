a = 1
b = 2
import os as c
del a, c
for i in range(3): pass
