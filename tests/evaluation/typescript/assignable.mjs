// Types of two versions of a package in one program: is each assignable to the other, are they identical?
//
// in:  {home, project, other, package, specifiers: [text], names: {specifier: [[name, meanings, parameters]]}, globals}
// out: [{specifier, name, meaning, relation, code, text}]   what does not hold
//
// Generic types are compared with `any` for their parameters. Classes with private members and unique symbols can
// never be assignable to a copy of themselves: the caller runs this once with two copies of the original.
import path from "node:path";
import { answer, input, OPTIONS, program, ts } from "./_compiler.mjs";

const IDENTICAL = "type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends (<T>() => T extends Y ? 1 : 2) ? true : false;";

function file(specifier, project) {
  const from = path.join(project, "main.ts");
  return ts.resolveModuleName(specifier, from, OPTIONS, ts.sys).resolvedModule?.resolvedFileName;
}

const lines = [IDENTICAL];
const meant = [null];
const absent = [];
input.specifiers.forEach((specifier, at) => {
  const [one, other] = [file(specifier, input.project), file(specifier, input.other)];
  if (!one || !other) {
    absent.push({ specifier, name: "", meaning: "", relation: "resolved", code: 0, text: "" });
    return;
  }
  add(`import type * as A${at} from ${JSON.stringify(one)}; import type * as B${at} from ${JSON.stringify(other)};`, null);
  for (const [name, meanings, parameters] of input.names[specifier] ?? []) {
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) continue;
    const filled = parameters > 0 ? `<${Array(parameters).fill("any").join(", ")}>` : "";
    if (meanings.includes("type")) both(specifier, name, "type", `A${at}.${name}${filled}`, `B${at}.${name}${filled}`);
    if (meanings.includes("value")) both(specifier, name, "value", `typeof A${at}.${name}`, `typeof B${at}.${name}`);
  }
});

function add(text, about) {
  lines.push(text);
  meant.push(about);
}

function both(specifier, name, meaning, one, other) {
  const about = (relation) => ({ specifier, name, meaning, relation });
  add(`{ let a!: ${one}; let b!: ${other}; a = b; }`, about("to the original"));
  add(`{ let a!: ${one}; let b!: ${other}; b = a; }`, about("from the original"));
  add(`{ const same: Same<${one}, ${other}> = true; }`, about("identical"));
}

const name = path.join(input.project, "compared.ts");
const made = program(new Map([[name, lines.join("\n")]]), { ...OPTIONS, types: input.globals ?? [] });
const main = made.getSourceFile(name);
const found = [...made.getSyntacticDiagnostics(main), ...made.getSemanticDiagnostics(main)].map((each) => {
  const { line } = main.getLineAndCharacterOfPosition(each.start);
  const text = ts.flattenDiagnosticMessageText(each.messageText, "\n").slice(0, 1500);
  return { ...(meant[line] ?? { specifier: "", name: lines[line].slice(0, 200), meaning: "", relation: "import" }), code: each.code, text };
});
answer({ compared: meant.filter((each) => each?.relation === "identical").length, wrong: [...absent, ...found] });
