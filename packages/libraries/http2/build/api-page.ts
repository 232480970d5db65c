/**
 * Writes the API page of a package: every export of every entry, with its declaration and docstring.
 *
 * Usage: npx tsx packages/libraries/http2/build/api-page.ts FOLDER…, e.g. packages/libraries/arrow-flight
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

interface Manifest {
  name: string;
  exports: Record<string, string>;
}

/** @param folder of the package. @returns Markdown */
export function apiPage(folder: string): string {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const files = Object.values(exports).map((path) => resolve(folder, path));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const sections = Object.keys(exports).map((entry, i) => {
    const source = program.getSourceFile(files[i] as string) as ts.SourceFile;
    const module = checker.getSymbolAtLocation(source) as ts.Symbol;
    const symbols = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    const title = `## \`${name}${entry.slice(1)}\``;
    return [title, ...symbols.map((symbol) => describe(resolved(symbol, checker)))].join('\n\n');
  });
  const note =
    'Generated from the docstrings by `npx tsx packages/libraries/http2/build/api-page.ts`; a test keeps it current.';
  return `# API of \`${name}\`\n\n${note}\n\n${sections.join('\n\n')}\n`;
}

function resolved(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function describe(symbol: ts.Symbol): string {
  const declaration = symbol.declarations?.[0] as ts.Declaration;
  return `### \`${symbol.name}\`\n\n\`\`\`ts\n${declared(declaration)}\n\`\`\``;
}

const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/** The declaration with its docstrings, without bodies and private members. */
function declared(node: ts.Declaration): string {
  if (ts.isClassDeclaration(node)) {
    const members = node.members.filter((member) => !(ts.getCombinedModifierFlags(member) & hidden)).map(member);
    return `${docOf(node)}${head(node)} {\n${members.map(indent).join('\n')}\n}`;
  }
  if (ts.isFunctionDeclaration(node)) return member(node);
  if (ts.isVariableDeclaration(node)) {
    const type = node.type ? `: ${node.type.getText()}` : node.initializer ? ` = ${node.initializer.getText()}` : '';
    return `${docOf(node.parent.parent)}const ${node.name.getText()}${type};`;
  }
  return `${docOf(node)}${node.getText().replace(/^export /, '')}`;
}

function head(node: ts.ClassDeclaration): string {
  const heritage = node.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  return `class ${node.name?.getText()}${heritage}`;
}

/** A function or a member of a class, without its body. */
function member(node: ts.FunctionDeclaration | ts.ClassElement): string {
  const text = node.getText().replace(/^export /, '');
  const body = 'body' in node ? (node.body as ts.Node | undefined) : undefined;
  const shown = body ? `${text.slice(0, text.length - body.getText().length).trimEnd()};` : text;
  return `${docOf(node)}${shown}`;
}

function docOf(node: ts.Node): string {
  const docs = (node as { jsDoc?: ts.JSDoc[] }).jsDoc ?? [];
  const last = docs.at(-1);
  return last ? `${last.getText()}\n` : '';
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line.replace(/^ {2}/, '')}`)
    .join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const folder of process.argv.slice(2)) writeFileSync(join(folder, 'API.md'), apiPage(folder));
}
