// What the programs of this folder share: TypeScript's compiler API, and projects to look at with it.
//
// The compiler is the one that is pinned in package.json and installed into the evaluation's folder; nothing of the
// packages that are looked at is run.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

/** The arguments: a JSON file whose `home` is the folder with `node_modules`. */
export const input = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
export const ts = createRequire(path.join(input.home, "package.json"))("typescript");

export const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.es2023.d.ts", "lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  esModuleInterop: true,
  types: [],
};

export const NODE = { ...OPTIONS, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };

/** A program over texts that need not exist on disk (absolute path → text) beside the files that do. */
export function program(texts, options) {
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) =>
    texts.has(name)
      ? ts.createSourceFile(name, texts.get(name), languageVersion, true)
      : getSourceFile.call(host, name, languageVersion, ...rest);
  return ts.createProgram([...texts.keys()], options, host);
}

export function answer(value) {
  fs.writeFileSync(process.argv[3], JSON.stringify(value));
}

/** A diagnostic as `file:line:column code message`, with paths from the project's folder on. */
export function told(diagnostic, root) {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n").replaceAll(`${root}/`, "");
  if (!diagnostic.file) return { file: "", line: 0, column: 0, code: diagnostic.code, text };
  const at = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  const file = path.relative(root, diagnostic.file.fileName);
  return { file, line: at.line + 1, column: at.character + 1, code: diagnostic.code, text };
}
