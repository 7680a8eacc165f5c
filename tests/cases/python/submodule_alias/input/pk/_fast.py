def run(n: int) -> int:
    '''Public as pk.engine.run.'''
