def delta(): "A private definition, shown in pk."
def epsilon(): "Another."
def zeta(): "Never exported."
