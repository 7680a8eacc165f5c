class Var:
    """A variable."""
