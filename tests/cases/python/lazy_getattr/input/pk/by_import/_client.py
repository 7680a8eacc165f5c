class Client:
    '''A client.'''

def modern() -> None: ...
