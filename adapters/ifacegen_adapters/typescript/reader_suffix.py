"""What the name of a file says about how it is read."""

from __future__ import annotations

import re

#: Endings of declaration files; between ``.d`` and the last one may be that of another file (``x.d.css.ts``).
_DECLARATIONS = re.compile(r"\.d(?:\.[\w-]+)?\.[mc]?ts$")
JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs")


def suffix_of(path: str) -> str:
    """The part of a path that decides how the file is read: ``.d.ts``, ``.d.mts``, ``.tsx``, ``.js``."""
    name = path.rpartition("/")[2]
    last = name[name.rindex(".") :] if "." in name else ".ts"
    return f".d{last}" if _DECLARATIONS.search(name) else last
