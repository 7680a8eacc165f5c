"""Module doc."""

#: Before.
BEFORE = 1

AFTER = 2
"""After."""

TRAILING = 3  #: Trailing.

#: Two
#:
#: paragraphs.
TWO = 4

#: Not adjacent.

NOT_ADJACENT = 5

# An ordinary comment.
ORDINARY = 6

a, b = 1, 2
"""Of both."""

ANNOTATED: int
"""Of a bare annotation."""

IN_PARENTHESES = (
    1
)  #: Behind the parenthesis.

def f(): ...
"""Not an attribute's."""

type Alias = int
"""Of an alias."""

class C:
    """Class."""

    #: Of x.
    x: int
    y = 1
    '''Of y.'''

    z: int = 0

    """Not adjacent but still the next statement."""

    def __init__(self):
        #: Of w.
        self.w = 1
        self.v = 1
        """Of v."""

    #: A table, as code.
    #:
    #: .. versionchanged:: 1.1
    #:     Indented body::
    #:
    #:         x = 1
    #:
    table: int = 0

    #:  Each line one space further in,
    #:  with a step
    #:    here.
    steps: int = 0

    #:No space.
    tight: int = 0  #:
