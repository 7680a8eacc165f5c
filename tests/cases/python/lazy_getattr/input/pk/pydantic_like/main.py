class BaseModel:
    '''A model.'''
