export interface Map { own: true }
export declare function lookup(map: Map): WeakMap<object, Map>;
