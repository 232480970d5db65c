/**
 * esbuild plugin for the service bundle: modules that a role never uses, or uses only when something fails, are replaced
 * by stand-ins that load nothing at start. Fifty services start together, so each millisecond here counts a hundred times
 * (docs/decisions/0005-start-up.md has the figures). A stand-in that is used after all loads the real module or says so.
 */

/** Loaded when a property is first read. Only for modules whose importers keep them as `const x = require(…)`. */
const whenUsed = ['node:dns', 'node:http2', 'node:https', 'semver'];

/** Fastify's parts for logging, JSON schemas and injected requests: roles use none of them. */
const leftOut = ['pino', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];

/** HTTP/2 of undici's client: hops speak HTTP/1.1. */
const leftOutFiles = /[\\/]client-h2(\.js)?$/;

export const leanModules = {
  name: 'lean-modules',
  setup(build) {
    build.onResolve({ filter: /^[@\w]/ }, ({ path, kind, namespace }) => {
      if (kind !== 'require-call' || namespace.startsWith('lean-')) return undefined;
      const name = path.startsWith('node:') || !builtins.has(path) ? path : `node:${path}`;
      if (name === 'node:assert') return { path: name, namespace: 'lean-assert' };
      if (whenUsed.includes(name)) return { path: name, namespace: 'lean-when-used' };
      if (leftOut.includes(name)) return { path: name, namespace: 'lean-left-out' };
      return undefined;
    });
    build.onResolve({ filter: leftOutFiles }, ({ path }) => ({ path, namespace: 'lean-left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'lean-assert' }, () => ({ contents: assertWhenFailed }));
    build.onLoad({ filter: /.*/, namespace: 'lean-when-used' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require(${JSON.stringify(path)})[name] });`,
      resolveDir: import.meta.dirname,
    }));
    build.onLoad({ filter: /.*/, namespace: 'lean-left-out' }, ({ path }) => ({
      contents: `module.exports = () => () => { throw new Error(${JSON.stringify(`${path} is left out of this bundle`)}); };`,
    }));
  },
};

const builtins = new Set(['assert', 'dns', 'http2', 'https']);

/** `assert` itself is cheap; what costs is the module that words its failures. */
const assertWhenFailed = `
function assert(value, message) { if (!value) require('node:assert')(value, message); }
module.exports = new Proxy(assert, { get: (_, name) => (name === 'ok' ? assert : require('node:assert')[name]) });
`;
