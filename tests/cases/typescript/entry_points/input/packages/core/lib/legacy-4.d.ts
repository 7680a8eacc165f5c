export interface Legacy { isNew: false }
