r"""Raw \d module doc \N{DASH}."""

def backslash():
    "C:\\Users\\new \\N{x}"

def escapes():
    "tab\there, newline\nand é \x41 \N{EM DASH}"

def triple():
    'has """ triple quotes'

def both():
    "has \"\"\" and ''' both"

def trailing_quote():
    'ends with "'

def trailing_two():
    """ends with two "\""""

def trailing_backslash():
    "ends with \\"

def trailing_backslash_lines():
    """Lines.

    ends with \\"""

def triple_and_backslash():
    'a """ and \\ and "'

def unicode():
    """Ünïcode — 日本語 🚀 ​ zero width."""

def control():
    "bell \a null \0 escape \x1b formfeed \f vt \v nel \x85 ls \u2028"

def surrogate():
    "lone \ud800 surrogate"

def carriage():
    "a\rb\r\nc"

def indented():
    """First.

        Indented.

      Less.
    """

def relative():
    """
    Starts on the second line.

        Code.
    """

def tabs():
    """Tabs.

	Indented by a tab.
	    And more.
    """

def trailing_space():
    """Trailing.   

    spaces   
    """

def concatenated():
    "one " "two"

def parenthesised():
    ("in parentheses")

def fstring():
    f"not a docstring"

def bytestring():
    b"not a docstring"

def empty():
    """"""

def blank():
    """   """

def only_newlines():
    """

    """

def one_line(): "on the line"

def raw_quotes():
    r'\"""'

class C: "Class on the line"

class D:
    u"unicode prefix"
