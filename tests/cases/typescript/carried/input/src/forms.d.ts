import type * as types from "./internal/types.js";
import { Shared as Aliased } from "./internal/types.js";
export declare function form(x: types.Shared, y: Aliased): types.OnlyForms;
