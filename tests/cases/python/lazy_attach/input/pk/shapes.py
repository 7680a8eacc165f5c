class Circle:
    radius: float
