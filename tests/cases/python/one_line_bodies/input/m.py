def a(): pass
def b(): return 1
def c(): "doc"; x = 1
class A: pass
class B: x = 1; y: int = 2; z = "s"
class C: "doc"
class D:
    def m(self): self.x = 1; self.y = "s"
if True: X = 1; Y = 2
else: X = 3
x = 1; y = 2
async def d(): await x
lam = lambda a, b=1, *c, d, **e: a
