export declare namespace Deep { interface Item { x: 1 } }
export interface Shape { deep: Deep.Item }
