export interface Legacy { isNew: true }
