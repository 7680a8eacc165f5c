/** From text. */
export declare function parse(text: string): Tree;
/** From bytes. */
export declare function parse(bytes: Uint8Array, encoding?: string): Tree;
export declare class Tree {
  constructor(size: number);
  constructor(name: string, size: number);
  at(index: number): Tree;
  at(name: string): Tree | undefined;
  get size(): number;
  set size(value: number | string);
}
export interface Call {
  (x: number): string;
  (x: string): number;
  new (x: number): Call;
  readonly [key: string]: unknown;
}
