/**
 * The layering of the packages as rules: a package imports only packages named before it, pure packages do no I/O, and
 * nothing imports in a circle. `npm run boundaries` checks them.
 */

/** In the order of the layers, with what each may import. */
const layers = {
  core: [],
  host: ['core'],
  containers: ['core', 'host'],
  topology: ['core', 'workload'],
  'rule-engine': ['core'],
  oracle: ['core', 'topology'],
  deployment: ['core', 'topology', 'rule-engine'],
  flow: ['core', 'topology', 'rule-engine', 'workload'],
  stats: ['core'],
  workload: ['core'],
  results: ['core', 'host', 'stats'],
  comparison: ['core', 'stats'],
  http2: [],
  'arrow-flight': ['http2'],
  columns: ['core', 'rule-engine', 'workload', 'arrow-flight'],
  stores: ['core', 'host', 'containers', 'workload', 'columns'],
  sources: ['core', 'host', 'workload', 'stores', 'arrow-flight', 'columns'],
  streams: ['core', 'host', 'workload', 'stores'],
  services: ['core', 'host', 'topology', 'flow', 'rule-engine', 'workload', 'stores', 'arrow-flight', 'columns'],
  runners: ['core', 'host', 'containers', 'deployment'],
  connectors: ['core', 'host', 'containers', 'sources', 'deployment', 'arrow-flight', 'runners'],
  trial: ['core', 'topology', 'deployment'],
  loadgen: ['core', 'host', 'workload', 'stats', 'results', 'stores', 'arrow-flight', 'columns', 'trial'],
  simulator: ['core', 'topology', 'rule-engine', 'flow', 'deployment', 'workload', 'stats'],
  measured: ['core', 'host', 'topology', 'deployment', 'workload', 'results', 'stores', 'runners', 'loadgen', 'trial'],
  experiment: ['core', 'host', 'topology', 'deployment', 'stats', 'workload', 'results', 'stores', 'trial'],
  report: ['core', 'stats', 'results', 'comparison'],
  'study-kit': [
    'core',
    'host',
    'stats',
    'comparison',
    'stores',
    'trial',
    'loadgen',
    'measured',
    'experiment',
    'report',
  ],
  routing: [
    'core',
    'host',
    'topology',
    'oracle',
    'deployment',
    'stats',
    'workload',
    'results',
    'comparison',
    'runners',
    'trial',
    'loadgen',
    'simulator',
    'measured',
    'report',
    'study-kit',
  ],
  'store-study': [
    'core',
    'host',
    'topology',
    'oracle',
    'deployment',
    'stats',
    'workload',
    'results',
    'comparison',
    'arrow-flight',
    'columns',
    'stores',
    'runners',
    'trial',
    'loadgen',
    'measured',
    'report',
    'study-kit',
  ],
  'transfer-study': [
    'core',
    'host',
    'topology',
    'oracle',
    'stats',
    'results',
    'comparison',
    'arrow-flight',
    'columns',
    'runners',
    'trial',
    'loadgen',
    'measured',
    'report',
    'study-kit',
  ],
  'access-study': [
    'core',
    'host',
    'stats',
    'results',
    'comparison',
    'arrow-flight',
    'stores',
    'sources',
    'connectors',
    'trial',
    'loadgen',
    'measured',
    'experiment',
    'report',
    'study-kit',
  ],
  'stream-study': [
    'core',
    'host',
    'topology',
    'stats',
    'results',
    'comparison',
    'stores',
    'streams',
    'trial',
    'loadgen',
    'measured',
    'experiment',
    'report',
    'study-kit',
  ],
  studies: [
    'core',
    'topology',
    'deployment',
    'comparison',
    'trial',
    'simulator',
    'experiment',
    'report',
    'study-kit',
    'routing',
    'store-study',
    'transfer-study',
    'access-study',
    'stream-study',
  ],
  workbench: [
    'core',
    'host',
    'topology',
    'deployment',
    'stats',
    'results',
    'comparison',
    'stores',
    'runners',
    'trial',
    'measured',
    'experiment',
    'report',
    'routing',
    'studies',
  ],
  workshop: [
    'core',
    'host',
    'topology',
    'rule-engine',
    'deployment',
    'stats',
    'workload',
    'results',
    'simulator',
    'experiment',
    'report',
    'studies',
    'trial',
    'workbench',
  ],
};

const pure = [
  'topology',
  'rule-engine',
  'oracle',
  'flow',
  'deployment',
  'stats',
  'workload',
  'comparison',
  'trial',
  'simulator',
];

/** Pure packages that run in a browser, with all that they load. */
const inBrowsers = ['topology', 'rule-engine', 'flow', 'stats', 'workload', 'comparison', 'trial', 'simulator'];
const nodeModules = `^(node:)?(${require('node:module').builtinModules.join('|')})$`;

/** Files of other pure packages that hash or compress. Each is loaded by Node.js only. */
const hashesItself = [
  '^packages/deployment/src/(role-secrets|rule-change|host-name|manifests/kubernetes/config-files)\\.ts$',
  '^packages/oracle/src/(item-calls|redacted-copy)\\.ts$',
];

/** Kinds of study apart from the core one, and what only they need. */
const guests = [
  'columns',
  'stores',
  'sources',
  'streams',
  'connectors',
  'store-study',
  'transfer-study',
  'access-study',
  'stream-study',
];
/** Usable without topo-bench. */
const libraries = ['http2', 'arrow-flight'];

function folder(name) {
  if (name === 'loadgen') return 'loadgen/';
  if (guests.includes(name)) return `packages/guests/${name}/`;
  return libraries.includes(name) ? `packages/libraries/${name}/` : `packages/${name}/`;
}
/** A package's folder in the repository. */
const anyFolder = 'packages/(?:(?:guests|libraries)/)?[^/]+|loadgen';
const anyOf = (names) => `^(${names.map(folder).join('|')})`;
const everyPackage = `^(${anyFolder})/`;
/** The package that a file belongs to; the tests across packages count as one. */
const owner = `^(${anyFolder}|test)/`;

const layerRules = Object.entries(layers).map(([name, allowed]) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${allowed.length > 0 ? allowed.join(', ') : 'none of our packages'}.`,
  severity: 'error',
  from: { path: `^${folder(name)}src/` },
  to: { path: everyPackage, pathNot: anyOf([name, ...allowed]) },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'oracle-knows-neither-rule-engine-nor-flow',
      comment: 'The oracle checks the engines and the flow: code shared with them would hide their faults from it.',
      severity: 'error',
      from: { path: '^packages/oracle/src/' },
      to: { path: '^packages/(rule-engine|flow)/', reachable: true },
    },
    {
      name: 'oracle-reads-for-itself',
      comment:
        'The oracle reads rules, paths, operators and flows itself: of core it knows schemas, plain types, errors and digests.',
      severity: 'error',
      from: { path: '^packages/oracle/src/' },
      to: {
        path: '^packages/core/',
        pathNot:
          '^packages/core/src/(delivered-digest|errors|facts|gateway-api|hashing|role-secrets|schema/(rules|topology))\\.ts$',
      },
    },
    {
      name: 'oracle-knows-graphs-as-types',
      comment:
        'Code that expands rules, compiles flows and places enforcement points would make its faults invisible to the oracle.',
      severity: 'error',
      from: { path: '^packages/oracle/src/' },
      to: { path: '^packages/topology/', pathNot: '^packages/topology/src/graph\\.ts$' },
    },
    {
      name: 'oracle-runs-no-code-of-topology',
      severity: 'error',
      from: { path: '^packages/oracle/src/' },
      to: { path: '^packages/(topology/|core/src/schema/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-packages-do-no-io',
      comment: 'Pure packages take clock, randomness and hashing as arguments and touch nothing outside.',
      severity: 'error',
      from: { path: `${anyOf(pure)}src/`, pathNot: hashesItself },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-packages-load-no-node',
      comment: 'A browser runs these packages: nothing that they load, in any package, imports a module of Node.js.',
      severity: 'error',
      from: { path: `${anyOf(inBrowsers)}src/` },
      to: { path: nodeModules, reachable: true },
    },
    {
      name: 'experiment-names-servers-only',
      comment: 'A simulated run starts nothing: of stores, experiments know engines and connection strings.',
      severity: 'error',
      from: { path: '^packages/experiment/src/' },
      to: {
        path: '^packages/guests/stores/',
        pathNot: '^packages/guests/stores/src/(engines|servers/connection-strings)\\.ts$',
      },
    },
    {
      name: 'packages-by-name',
      comment:
        'Another package is imported by its name and the entries that it exports. Tests share only files of test/fixtures, benches those of bench/shared, builds those of build.',
      severity: 'error',
      from: { path: owner },
      to: {
        path: owner,
        pathNot: ['^$1/', `^(${anyFolder})/(test/fixtures|bench/shared|build)/`, '^test/fixtures/'],
        dependencyTypes: ['local'],
        // By its name, a package is an alias for the tests across packages, whose manifest lists the workspaces.
        dependencyTypesNot: ['aliased'],
      },
    },
    {
      name: 'sources-without-tests',
      comment: 'Code that ships imports neither tests nor benches nor builds.',
      severity: 'error',
      from: { path: `^(${anyFolder})/src/` },
      to: { path: [`^(${anyFolder})/(test|bench|build)/`, '^test/'] },
    },
    {
      name: 'benches-without-tests-of-others',
      comment: 'A change of the tests of another package changes no published figure.',
      severity: 'error',
      from: { path: `^(${anyFolder})/bench/` },
      to: { path: `^(${anyFolder})/test/`, pathNot: '^$1/' },
    },
    {
      name: 'services-start-by-path',
      comment: 'Roles are started by path or image, never by import: also not in tests of other packages.',
      severity: 'error',
      from: { path: everyPackage, pathNot: '^packages/services/' },
      to: { path: '^packages/services/' },
    },
    {
      name: 'host-starts-processes',
      comment: 'Child processes are supervised in one way: they are started by the package host.',
      severity: 'error',
      from: { path: `^(${anyFolder})/src/`, pathNot: '^packages/host/' },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'no-circle',
      comment: 'Files import each other in one direction, types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'verbs-are-apart',
      comment: 'Code that two verbs share stands above the folders of the verbs.',
      severity: 'error',
      from: { path: '^packages/cli/src/commands/([^/]+)/' },
      to: {
        path: '^packages/cli/src/commands/',
        // `simulate` is `run` on another backend.
        pathNot: ['^packages/cli/src/commands/$1/', '^packages/cli/src/commands/run/action\\.ts$'],
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, dependencyTypesNot: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
    },
  },
};
