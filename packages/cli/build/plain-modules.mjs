/**
 * Makes what esbuild writes for modules plain, where the general form costs a role at its start (docs/decisions/0007-start-up.md):
 *
 * - A CommonJS module is an object with one method, named like its file: `__commonJS({"a.js"(exports, module) { … }})`. V8 makes a shape
 *   for each and finds the name again when the module is first asked for. It becomes a function.
 * - What a part exports is a getter that calls a getter. It becomes a value, where nothing assigns it again.
 */
import { parse } from 'acorn';

/** How esbuild's `__commonJS` calls the one method. */
const callByName = /\(0,\s*cb\[__getOwnPropNames\d*\(cb\)\[0\]\]\)\(/;
const getters = /var stdin_exports=\{\};__export\d*\(stdin_exports,\{(.*?)\}\);module\.exports=__toCommonJS\d*\(stdin_exports\);/;
const getter = /^([\w$]+):\(\)=>([\w$.]+)$/;
/** Names of exports for Node.js's reader of CommonJS modules, which does not see these. */
const annotation = /0&&\(module\.exports=\{[^{}]*\}\);/;
/** The interop of `import()` for what has no names of its own; parts have them. */
const wrappedPart = /__toESM\d*\((require\("\.\/[^"]+"\))\)/g;

/**
 * @param code the body of a part as a function of `exports`, `require` and `module`, without white space; parts import each other without cycles
 * @returns the same, plainer
 * @throws Error when esbuild writes otherwise than expected here
 */
export function plainModules(code) {
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true });
  return plainExports(plainCommonJs(code, body), body).replace(wrappedPart, '$1');
}

function plainCommonJs(code, body) {
  const edits = body
    .flatMap(({ type, declarations }) => (type === 'VariableDeclaration' ? declarations : []))
    .flatMap(({ init }) => (init?.type === 'CallExpression' && isWrapper(init.callee) ? [toFunction(init.arguments[0])] : []));
  // From the end, so that places before stay what they are.
  for (const { outer, inner } of edits.reverse()) {
    code = `${code.slice(0, outer.start)}function${code.slice(inner.start, inner.end)}${code.slice(outer.end)}`;
  }
  return code.replace(callByName, 'cb(');
}

/** `__commonJS`, or the same of another part: `(0, part.__commonJS)`. */
function isWrapper(callee) {
  const { name, property } = callee.type === 'SequenceExpression' ? callee.expressions.at(-1) : callee;
  return /^__commonJS\d*$/.test(name ?? property?.name);
}

/** @returns places of the object, and of its method from the parameters on */
function toFunction(modules) {
  const [method, ...others] = modules.properties;
  if (others.length > 0 || !method.method || method.value.async || method.value.generator) throw unexpected('CommonJS modules');
  return { outer: modules, inner: method.value };
}

function plainExports(code, body) {
  const [before, list] = getters.exec(code) ?? [];
  // A part without exports.
  if (before === undefined) return code;
  const assigned = assignedNames(body);
  const members = list.split(',').map((text) => {
    const [, name, local] = getter.exec(text) ?? [];
    if (name === undefined) throw unexpected(`the export ${text}`);
    return assigned.has(local) || local.includes('.') ? `get ${name}(){return ${local}}` : `${name}:${local}`;
  });
  return `${code.replace(before, '').replace(annotation, '')};module.exports={${members.join(',')}};`;
}

/** Every name that is given another value somewhere, of whatever scope. */
function assignedNames(node, found = new Set()) {
  if (Array.isArray(node)) for (const part of node) assignedNames(part, found);
  else if (typeof node?.type === 'string') {
    if (node.type === 'AssignmentExpression' || node.type === 'ForInStatement' || node.type === 'ForOfStatement')
      names(node.left, found);
    if (node.type === 'UpdateExpression') names(node.argument, found);
    for (const part of Object.values(node)) assignedNames(part, found);
  }
  return found;
}

/** Adds all names in a target of an assignment; more than are assigned does no harm. */
function names(node, found) {
  if (Array.isArray(node)) for (const part of node) names(part, found);
  else if (node?.type === 'Identifier') found.add(node.name);
  else if (typeof node?.type === 'string') for (const part of Object.values(node)) names(part, found);
}

function unexpected(what) {
  return new Error(`esbuild writes ${what} otherwise than build/plain-modules.mjs expects: look at it again`);
}
