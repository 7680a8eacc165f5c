export declare class Internal<T> {
  private secret;
  static of<T>(value: T): Internal<T>;
  clone(): Internal<T>;
}
export declare function helper(x: Internal<string>): Kept;
export interface Kept { owner: Internal<Kept> }
export declare class OnlyAsType { x: number }
