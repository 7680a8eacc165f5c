from ._vars import Var
