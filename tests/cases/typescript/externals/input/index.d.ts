import React, { type ReactNode, Component } from "react";
import * as path from "node:path";
import fs = require("fs");
import type { Props as ReactProps } from "react";
import { Props } from "vue";
export { useState, type FC as FunctionComponent } from "react";
export * from "rxjs";
export * as dom from "react-dom";
export { path, fs, React };
export { Props };
export { gone } from "./gone.js";
export declare class View extends Component<ReactProps> { render(): ReactNode; vue: Props; loose: Missing }
export declare const join: typeof path.join;
export declare const lazy: import("preact").VNode;
export import Element = React.JSX.Element;
export as namespace AcmeView;
