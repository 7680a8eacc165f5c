"""With a BOM é."""
X = 1
