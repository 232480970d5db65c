/**
 * The environment of a role: the user's, without variables that would affect a hundred processes unintentionally.
 * NODE_OPTIONS of an editor would open a hundred debuggers. NODE_EXTRA_CA_CERTS more than doubles the start-up time of
 * Node.js, although roles use plain HTTP.
 */
const leftOut = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_V8_COVERAGE'];

/**
 * Connection strings of database servers contain passwords. A role gets its own with its configuration. A user-supplied
 * service inherits the environment, and must not reach a store past its enforcement point.
 */
const serverAddress = /^TOPO_BENCH_[A-Z]+_URL$/;

export function roleEnvironment(own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) {
    if (leftOut.includes(name) || serverAddress.test(name)) delete environment[name];
  }
  return { ...environment, ...own };
}
