export interface Registry { base: string }
