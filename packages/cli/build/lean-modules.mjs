/**
 * esbuild plugin for the service bundle: modules that a role never uses, or uses only later, are replaced by stand-ins that
 * load nothing at start. Fifty services with sidecars start together, so each millisecond counts a hundred times
 * (docs/decisions/0007-start-up.md has the figures). A stand-in that is used after all loads the real module, or says that
 * it was left out.
 */

/** Loaded when one of their members is first used. */
const whenUsed = new Set([
  'node:crypto',
  'node:dns',
  'node:http2',
  'node:https',
  'node:perf_hooks',
  'node:tls',
  'node:zlib',
  'semver',
]);

/** Fastify's parts for logging, JSON schemas and injected requests: roles use none of them. */
const leftOut = new Set(['pino', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']);

/** HTTP/2 of undici's client: hops speak HTTP/1.1. */
const leftOutFiles = /[\\/]client-h2(\.js)?$/;

/** Replaced by a few words of our own. */
const replaced = {
  // Asserting is cheap; what costs is the module that words the failures.
  'node:assert': `
    function assert(value, message) { if (!value) require('node:assert')(value, message); }
    module.exports = new Proxy(assert, { get: (_, name) => (name === 'ok' ? assert : require('node:assert')[name]) });`,
  // The router checks its own expressions and those of routes; ours have none.
  'safe-regex2': 'module.exports = () => true;',
};

/** Fastify takes the clock out of the module at load, for a log that roles do not keep. */
const clockOfLog = 'module.exports = { performance: { now: () => performance.now() } };';

const standIns = /^lean-/;

export const leanModules = {
  name: 'lean-modules',
  setup(build) {
    build.onResolve({ filter: /^[@\w]/ }, ({ path, namespace, importer }) => {
      if (standIns.test(namespace)) return undefined;
      const name = builtinAliases.has(path) ? `node:${path}` : path;
      if (name in replaced) return { path: name, namespace: 'lean-replaced' };
      if (name === 'node:perf_hooks' && /fastify/.test(importer)) return { path: name, namespace: 'lean-clock-of-log' };
      if (whenUsed.has(name)) return { path: name, namespace: 'lean-when-used' };
      if (leftOut.has(name)) return { path: name, namespace: 'lean-left-out' };
      return undefined;
    });
    build.onResolve({ filter: leftOutFiles }, ({ path }) => ({ path, namespace: 'lean-left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'lean-replaced' }, ({ path }) => ({ contents: replaced[path] }));
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
