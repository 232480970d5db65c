/**
 * The environment of a role. It is the user's, less what would change a hundred processes without being asked for:
 * NODE_OPTIONS of an editor opens a hundred debuggers, and NODE_EXTRA_CA_CERTS more than doubles Node.js's start-up
 * although roles speak plain HTTP.
 */
const leftOut = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_V8_COVERAGE'];

/**
 * Connection strings of database servers carry passwords. A role gets its own with its configuration; a user-supplied
 * service, which inherits the environment, must not reach a store past its enforcement point.
 */
const serverAddress = /^TOPO_BENCH_[A-Z]+_URL$/;

export function roleEnvironment(own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) {
    if (leftOut.includes(name) || serverAddress.test(name)) delete environment[name];
  }
  return { ...environment, ...own };
}
