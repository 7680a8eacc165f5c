// What the compiler knows of a package: names, members, types as it prints them, documentation.
//
// in:  {home, project, package, specifiers: [text], declared: "package"}
// out: {modules: {specifier: {equals, exports: {name: symbol}}}, ambient: {…}, globals: {name: symbol},
//       node: {import: {specifier: [name]}, require: {…}}, diagnostics: [told]}
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { answer, input, NODE, OPTIONS, program, told, ts } from "./_compiler.mjs";

const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const DEEPEST = 4;
const KEPT = 1500;
const FOLDER = fs.realpathSync(path.join(input.project, "node_modules", input.package));
const printer = ts.createPrinter({ removeComments: true });

// ---- texts of types, so that the same type has the same text ----

/** Arms of unions and members of object types come in the order in which a program met them: they are sorted. */
function canonical(text, wrap = (each) => `type X = ${each};`) {
  const plain = text.replace(/import\("[^"]*"(, \{[^}]*\})?\)/g, 'import("*")');
  const file = ts.createSourceFile("x.ts", wrap(plain), ts.ScriptTarget.ESNext, true);
  if (file.parseDiagnostics.length > 0) return plain;
  const sorted = ts.transform(file, [
    (context) => {
      const text = (node) => printer.printNode(ts.EmitHint.Unspecified, node, file);
      const visit = (node) => {
        const done = ts.visitEachChild(node, visit, context);
        if (ts.isQualifiedName(done)) return done.right;
        if (ts.isPropertyAccessExpression(done)) return done.name;
        if (ts.isImportTypeNode(done) && done.qualifier) return unqualified(done);
        if (ts.isUnionTypeNode(done)) return ts.factory.createUnionTypeNode(inOrder(done.types, text));
        if (ts.isTypeLiteralNode(done)) return ts.factory.createTypeLiteralNode(byName(done.members, text));
        return done;
      };
      return (root) => ts.visitNode(root, visit);
    },
  ]);
  return printer.printFile(sorted.transformed[0]).replace(/\s+/g, " ").trim();
}

function unqualified(node) {
  if (node.isTypeOf) return ts.factory.createTypeQueryNode(node.qualifier, node.typeArguments);
  return ts.factory.createTypeReferenceNode(node.qualifier, node.typeArguments);
}

function inOrder(nodes, key) {
  const keyed = nodes.map((each) => [key(each), each]);
  keyed.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return keyed.map(([, each]) => each);
}

/** Overloads of a name keep their order. */
function byName(members, text) {
  return inOrder(members, (each) => (each.name ? text(each.name) : ts.SyntaxKind[each.kind]));
}

function cut(text) {
  if (text.length <= KEPT) return text;
  return `${text.slice(0, KEPT)}… ${text.length} ${crypto.createHash("sha1").update(text).digest("hex")}`;
}

class Describer {
  constructor(checker, main) {
    this.checker = checker;
    this.main = main;
    this.known = new Map();
  }

  type(type) {
    return canonical(this.checker.typeToString(type, undefined, FLAGS));
  }

  signature(signature) {
    const text = this.checker.signatureToString(signature, undefined, FLAGS);
    return canonical(text, (each) => `type X = { ${each} };`).replace(/^type X = /, "");
  }

  parameters(declarations) {
    const found = declarations.find((each) => each.typeParameters?.length);
    return (found?.typeParameters ?? []).map((each) => {
      const parameter = this.checker.getTypeAtLocation(each);
      const constraint = each.constraint && this.type(this.checker.getTypeFromTypeNode(each.constraint));
      const fallback = each.default && this.type(this.checker.getTypeFromTypeNode(each.default));
      const modifiers = (each.modifiers ?? []).map((word) => ts.tokenToString(word.kind)).join(" ");
      return `${modifiers} ${this.type(parameter)} extends ${constraint ?? ""} = ${fallback ?? ""}`;
    });
  }

  value(symbol) {
    const type = this.checker.getTypeOfSymbol(symbol);
    const calls = type.getCallSignatures().map((each) => this.signature(each));
    const news = type.getConstructSignatures().map((each) => `new ${this.signature(each)}`);
    if (calls.length + news.length > 0) return [...calls, ...news].join("\n");
    return this.type(type);
  }

  hidden(symbol) {
    const declarations = symbol.declarations ?? [];
    return (
      symbol.name.startsWith("__#") ||
      (declarations.length > 0 && declarations.every((each) => each.name && ts.isPrivateIdentifier(each.name))) ||
      declarations.some((each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Private) ||
      this.internal(symbol)
    );
  }

  internal(symbol) {
    const declarations = symbol.declarations ?? [];
    return declarations.length > 0 && declarations.every((each) => ts.getJSDocTags(each).some((tag) => tag.tagName.text === "internal"));
  }

  name(symbol) {
    const declared = symbol.declarations?.[0]?.name;
    if (declared && ts.isComputedPropertyName(declared)) return declared.getText().replace(/\s+/g, "");
    return symbol.name.startsWith("___") ? symbol.name.slice(1) : symbol.name;
  }

  members(symbol) {
    const own = [...(symbol.members?.values() ?? [])].filter((each) => !(each.flags & ts.SymbolFlags.TypeParameter));
    const statics = symbol.flags & ts.SymbolFlags.Class ? this.statics(symbol) : [];
    const found = [];
    for (const [each, isStatic] of [...own.map((one) => [one, false]), ...statics.map((one) => [one, true])]) {
      if (this.hidden(each) || each.name === "prototype") continue;
      found.push(this.member(each, isStatic));
    }
    return found;
  }

  /** Names of a merged namespace are no static members. */
  statics(symbol) {
    return [...(symbol.exports?.values() ?? [])].filter((each) =>
      (each.declarations ?? []).some((one) => ts.isClassElement(one)),
    );
  }

  member(symbol, isStatic) {
    const declarations = symbol.declarations ?? [];
    const flags = declarations.reduce((all, each) => all | ts.getCombinedModifierFlags(each), 0);
    const words = [];
    if (isStatic) words.push("static");
    if (flags & ts.ModifierFlags.Readonly) words.push("readonly");
    if (flags & ts.ModifierFlags.Protected) words.push("protected");
    if (flags & ts.ModifierFlags.Abstract) words.push("abstract");
    if (symbol.flags & ts.SymbolFlags.Optional) words.push("?");
    if (symbol.flags & ts.SymbolFlags.GetAccessor) words.push("get");
    if (symbol.flags & ts.SymbolFlags.SetAccessor) words.push("set");
    return { name: this.name(symbol), words: words.join(" "), type: cut(this.memberType(symbol)), ...this.docs(symbol) };
  }

  memberType(symbol) {
    const signatures = (symbol.declarations ?? []).filter(
      (each) =>
        ts.isConstructorDeclaration(each) || ts.isCallSignatureDeclaration(each) || ts.isConstructSignatureDeclaration(each),
    );
    if (signatures.length > 0) {
      return signatures.map((each) => this.signature(this.checker.getSignatureFromDeclaration(each))).join("\n");
    }
    const index = (symbol.declarations ?? []).filter(ts.isIndexSignatureDeclaration);
    if (index.length > 0) {
      return index.map((each) => each.parameters.map((one) => this.type(this.checker.getTypeAtLocation(one))) + ": " + (each.type ? this.type(this.checker.getTypeFromTypeNode(each.type)) : "")).sort().join("\n");
    }
    return this.value(symbol);
  }

  docs(symbol) {
    const doc = ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
    const tags = symbol
      .getJsDocTags(this.checker)
      .map((each) => `@${each.name} ${ts.displayPartsToString(each.text)}`.trim())
      .join("\n");
    return { doc, tags };
  }

  /** An exported symbol: all its meanings. */
  symbol(alias, depth = 0) {
    const symbol = alias.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(alias) : alias;
    if (this.known.has(symbol)) return { ...this.known.get(symbol), seen: true };
    const found = this.described(symbol, depth);
    if (depth === 0) this.known.set(symbol, found);
    return found;
  }

  described(symbol, depth) {
    const { flags } = symbol;
    const declarations = symbol.declarations ?? [];
    const meanings = [];
    if (flags & ts.SymbolFlags.Value) meanings.push("value");
    if (flags & ts.SymbolFlags.Type) meanings.push("type");
    if (flags & ts.SymbolFlags.Namespace) meanings.push("namespace");
    const found = { meanings: meanings.join(" "), kind: kinds(flags), types: {}, members: [], inner: {}, ...this.docs(symbol) };
    found.parameters = declarations.find((each) => each.typeParameters?.length)?.typeParameters?.length ?? 0;
    found.own = declarations.some((each) => within(each));
    if (this.internal(symbol)) found.internal = true;
    if (flags & ts.SymbolFlags.Unknown || this.checker.isUnknownSymbol(symbol)) return { ...found, unknown: true };
    if (flags & ts.SymbolFlags.TypeAlias) {
      found.types.parameters = this.parameters(declarations).join(", ");
      found.types.type = cut(this.type(this.checker.getDeclaredTypeOfSymbol(symbol)));
    }
    if (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
      const type = this.checker.getDeclaredTypeOfSymbol(symbol);
      found.types.parameters = this.parameters(declarations).join(", ");
      found.types.bases = (this.checker.getBaseTypes(type) ?? []).map((each) => this.type(each)).join(", ");
      found.members = this.members(symbol);
    }
    if (flags & ts.SymbolFlags.Enum) {
      found.members = [...symbol.exports.values()]
        .filter((each) => each.flags & ts.SymbolFlags.EnumMember)
        .map((each) => ({ name: each.name, words: "", type: String(this.checker.getConstantValue(each.valueDeclaration)), ...this.docs(each) }));
    }
    if (flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.Function)) found.types.value = cut(this.value(symbol));
    if (flags & (ts.SymbolFlags.NamespaceModule | ts.SymbolFlags.ValueModule) && depth < DEEPEST) {
      found.file = declarations.some((each) => ts.isSourceFile(each));
      for (const each of this.checker.getExportsOfModule(symbol)) {
        if (!(each.flags & ts.SymbolFlags.Prototype)) found.inner[each.name] = this.symbol(each, depth + 1);
      }
    }
    return found;
  }

  module(symbol) {
    const equals = symbol.exports?.get("export=");
    const exports = {};
    for (const each of this.checker.getExportsOfModule(symbol)) exports[each.name] = this.symbol(each);
    if (equals) exports["export="] = this.symbol(equals);
    return { equals: Boolean(equals), exports, own: (symbol.declarations ?? []).some(within) };
  }
}

function kinds(flags) {
  const names = ["Function", "Class", "Interface", "TypeAlias", "Enum", "Variable", "ValueModule", "NamespaceModule"];
  return names.filter((each) => flags & ts.SymbolFlags[each]).join(" ");
}

function within(node) {
  return node.getSourceFile().fileName.startsWith(`${FOLDER}/`);
}

// ---- the program ----

function importing(specifiers) {
  return specifiers.map((each, at) => `import * as m${at} from ${JSON.stringify(each)};`).join("\n");
}

function moduleSymbols(checker, main) {
  return main.statements.filter(ts.isImportDeclaration).map((each) => [each.moduleSpecifier.text, checker.getSymbolAtLocation(each.moduleSpecifier)]);
}

function whole() {
  const name = path.join(input.project, "main.ts");
  const head = input.types ? `/// <reference types=${JSON.stringify(input.types)} />\n` : "";
  const text = head + importing(input.specifiers);
  const options = { ...OPTIONS, skipLibCheck: false, types: input.globals ?? [] };
  const made = program(new Map([[name, text]]), options);
  // Asked first: to print documentation, names in it are looked up, and those not found are diagnostics then.
  const files = made.getSourceFiles().filter((each) => each.fileName.startsWith(`${FOLDER}/`));
  const diagnostics = files.flatMap((each) => [...made.getSyntacticDiagnostics(each), ...made.getSemanticDiagnostics(each)]);
  const checker = made.getTypeChecker();
  const main = made.getSourceFile(name);
  const describer = new Describer(checker, main);
  const modules = {};
  for (const [specifier, symbol] of moduleSymbols(checker, main)) {
    if (symbol) modules[specifier] = describer.module(symbol);
  }
  const ambient = {};
  for (const each of checker.getAmbientModules()) {
    const declared = (each.declarations ?? []).some((one) => within(one) && !ts.isSourceFile(one));
    if (declared) ambient[each.name.slice(1, -1)] = describer.module(each);
  }
  const globals = {};
  for (const each of checker.getSymbolsInScope(main, -1)) {
    if (each.flags & ts.SymbolFlags.Alias || !(each.declarations ?? []).some(within)) continue;
    if (/^"/.test(each.name) || each.name === "globalThis") continue;
    globals[each.name] = describer.symbol(each);
  }
  return { modules, ambient, globals, files: files.length, diagnostics: diagnostics.map((each) => told(each, input.project)) };
}

function names(suffix) {
  const name = path.join(input.project, `main${suffix}`);
  const made = program(new Map([[name, importing(input.specifiers)]]), { ...NODE, types: input.globals ?? [] });
  const checker = made.getTypeChecker();
  const found = {};
  for (const [specifier, symbol] of moduleSymbols(checker, made.getSourceFile(name))) {
    if (symbol) found[specifier] = checker.getExportsOfModule(symbol).map((each) => each.name);
  }
  return found;
}

answer({ ...whole(), node: { import: names(".mts"), require: names(".cts") } });
