export interface Tool { parts: Part[] }
interface Part { id: string }
export {};
