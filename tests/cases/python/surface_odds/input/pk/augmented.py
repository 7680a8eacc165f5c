x = []
x += [1]
x.y = 2
x[0] = 1
global_name: int
(paren) = 1
*rest, last = [1, 2]
