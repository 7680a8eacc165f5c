/** @internal */
export declare function left(): void;
/** @internal */
export interface Carried { x: number }
/** @internal */
export declare function kept(): void;
export declare function concealed(): void;
export declare class Api {
  /** @internal */
  _state: Carried;
  use(carried: Carried): void;
  secret(): void;
  protected hook(): void;
  private constructor();
  private cache;
}
