/**
 * esbuild plugin for the service bundle: modules that a role never uses, or uses only later, are replaced by stand-ins that
 * load nothing at start. Fifty services with sidecars start together, so each millisecond counts a hundred times
 * (docs/decisions/0007-start-up.md has the figures). A stand-in that is used after all loads the real module, or says that
 * it was left out.
 */
import { readFile } from 'node:fs/promises';

/** Loaded when one of their members is first used. */
const whenUsed = new Set([
  'node:crypto',
  'node:dns',
  'node:http2',
  'node:https',
  'node:os',
  'node:perf_hooks',
  'node:tls',
  'node:zlib',
  'fast-querystring',
]);

/** Fastify's parts for logging, JSON schemas, injected requests and proxies before it: roles use none of them. */
const leftOut = new Set([
  'pino',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/proxy-addr',
  'light-my-request',
]);

/** HTTP/2 of undici's client: hops speak HTTP/1.1. The router's drawing of its routes. */
const leftOutFiles = /[\\/](client-h2|pretty-print)(\.js)?$/;

/** Replaced by a few words of our own. */
const replaced = {
  // Asserting is cheap; what costs is the module that words the failures.
  'node:assert': `
    function assert(value, message) { if (!value) require('node:assert')(value, message); }
    module.exports = new Proxy(assert, { get: (_, name) => (name === 'ok' ? assert : require('node:assert')[name]) });`,
  // Six sorts of caches, of which Fastify uses one, for content types: the oldest goes when it is full.
  'toad-cache': `
    exports.FifoMap = class extends Map {
      constructor(most) { super(); this.most = most; }
      set(key, value) { if (this.size >= this.most && !this.has(key)) this.delete(this.keys().next().value); return super.set(key, value); }
    };`,
  // Compares Fastify's version with what plug-ins ask for; roles register none that asks.
  semver: 'exports.satisfies = () => true;',
  // The router checks its own expressions and those of routes; ours have none.
  'safe-regex2': 'module.exports = () => true;',
  // Fastify makes a class for each of a hundred errors: 0.7 ms and 180 kB. Each is made when it is first thrown or asked for.
  '@fastify/error': `
    class WhenThrown {
      constructor(about) { this.about = about; }
      get made() { return (this.class ??= require('@fastify/error')(...this.about)); }
      apply(_, self, values) { return Reflect.apply(this.made, self, values); }
      construct(_, values) { return Reflect.construct(this.made, values); }
      get(_, name) { return this.made[name]; }
    }
    const error = function () {};
    const createError = (...about) => new Proxy(error, new WhenThrown(about));
    module.exports = createError;
    module.exports.createError = createError;`,
};

/** Lines of files by what takes their place. */
const edited = {
  // For what it does not find Fastify enters a path and all below it for each of 35 methods: 70 routes, 0.5 ms and 280 kB. They have
  // one handler, which the same router calls for what is not in it.
  'fastify/lib/four-oh-four.js': [
    /router\.all\(prefix \+ .*, routeHandler, context\)\n *router\.all\(prefix, routeHandler, context\)/,
    'router.defaultRoute = (request, response) => routeHandler(request, response, {}, context, {})',
  ],
  // A compiled schema of 1300 lines checks Fastify's options, which are ours and the same in every role; what it is for here is the defaults.
  'fastify/lib/config-validator.js': [
    /^[\s\S]*\nmodule\.exports\.defaultInitOptions = (\{.*\})[\s\S]*$/,
    `const defaults = $1;
    const fill = (options, from) => { for (const name in from) options[name] ??= from[name]; };
    module.exports = (options) => { fill(options, defaults); fill(options.routerOptions, defaults.routerOptions); return true; };
    module.exports.defaultInitOptions = defaults;`,
  ],
  // The router generates and compiles a function for every prefix of a path, at start.
  'find-my-way/lib/node.js': [
    /if \(prefix\.length >= LONG_PREFIX_MIN_LENGTH\) \{\n *return function matchLongPrefix \(path, i\) \{\n.*\n *\}\n *\}/,
    'return (path, i) => path.startsWith(prefix, i)',
  ],
  // It generates and compiles one for the parameters of every route; nearly all of ours have none.
  'find-my-way/lib/handler-storage.js': [/const fnBody = .*/, 'if (params.length === 0) return () => new NullObject()\n$&'],
  // What serialises errors that our handler of errors has not seen; there are none.
  'fastify/lib/error-handler.js': [/const serializeError = (.*)/, 'const serializeError = (error) => $1(error)'],
  'avvio/lib/debug.js': [/debuglog\('avvio'\)/, '() => {}'],
};

/** Fastify takes the clock out of the module at load, for a log that roles do not keep. */
const clockOfLog = 'module.exports = { performance: { now: () => performance.now() } };';

const standIns = /^lean-/;

async function edit(path, file) {
  const [from, to] = edited[file];
  const text = await readFile(path, 'utf8');
  if (!from.test(text)) throw new Error(`${path} is not what build/lean-modules.mjs edits: look at it again`);
  return text.replace(from, to);
}

export const leanModules = {
  name: 'lean-modules',
  setup(build) {
    build.onResolve({ filter: /^[@\w]/ }, ({ path, namespace, importer, kind }) => {
      if (standIns.test(namespace) || kind === 'dynamic-import') return undefined;
      const name = builtinAliases.has(path) ? `node:${path}` : path;
      if (name in replaced) return { path: name, namespace: 'lean-replaced' };
      if (name === 'node:perf_hooks' && /fastify/.test(importer)) return { path: name, namespace: 'lean-clock-of-log' };
      if (whenUsed.has(name)) return { path: name, namespace: 'lean-when-used' };
      if (leftOut.has(name)) return { path: name, namespace: 'lean-left-out' };
      return undefined;
    });
    build.onResolve({ filter: leftOutFiles }, ({ path }) => ({ path, namespace: 'lean-left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'lean-replaced' }, ({ path }) => ({
      contents: replaced[path],
      resolveDir: import.meta.dirname,
    }));
    for (const file of Object.keys(edited)) {
      const filter = new RegExp(`[/\\\\]${file.replaceAll('/', '[/\\\\]')}$`);
      build.onLoad({ filter }, async ({ path }) => ({ contents: await edit(path, file) }));
    }
    build.onLoad({ filter: /.*/, namespace: 'lean-clock-of-log' }, () => ({ contents: clockOfLog }));
    build.onLoad({ filter: /.*/, namespace: 'lean-when-used' }, ({ path }) => ({
      contents: loadedWhenUsed(path),
      resolveDir: import.meta.dirname,
    }));
    build.onLoad({ filter: /.*/, namespace: 'lean-left-out' }, ({ path }) => ({
      contents: `module.exports = () => () => { throw new Error(${JSON.stringify(`${path} is left out of this bundle`)}); };`,
    }));
  },
};

const builtinAliases = new Set(['assert', 'crypto', 'dns', 'http2', 'https', 'os', 'perf_hooks', 'tls', 'zlib']);

/** The proxy is the prototype, not the module: that is where esbuild's `import` interop looks for names it cannot list. */
function loadedWhenUsed(name) {
  return `
let loaded;
module.exports = Object.create(new Proxy({}, { get: (_, name) => (loaded ??= require(${JSON.stringify(name)}))[name] }));
`;
}
