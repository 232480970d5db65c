/**
 * Makes a checkout ready to run. Checks the Node.js version, installs dependencies if the lock file is newer, and
 * builds if a source is newer. Uses no dependencies: it runs before they are installed. Returns quickly when everything
 * is up to date.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = [20, 19];
const exitEnvironment = 3;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

checkNode();
if (modifiedMs('node_modules/.package-lock.json') < modifiedMs('package-lock.json')) install();

if (modifiedMs('packages/cli/dist/cli.js') < newestSourceMs())
  step('building', process.execPath, ['packages/cli/build/build.mjs']);

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  console.error(
    `error TB_NODE_TOO_OLD: Node.js ${process.versions.node} is too old: topo-bench needs ${oldestNode.join('.')} or newer\n` +
      'hint: install a current LTS version from https://nodejs.org, or with a version manager: nvm install --lts',
  );
  process.exit(exitEnvironment);
}

function install() {
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // Inside `npm start` this is the running npm. On Windows there is no need to find npm.cmd.
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm)) step('installing dependencies', process.execPath, [npm, ...options]);
  else step('installing dependencies', 'npm', options);
}

/** Runs a command with a line before and after. Prints its output only on failure. */
function step(title, command, args) {
  const startedMs = Date.now();
  console.error(`${title} …`);
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) {
    console.error(`${title}: done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
    return;
  }
  console.error(`${stdout ?? ''}${stderr ?? ''}`.trimEnd());
  console.error(
    `error TB_SETUP_FAILED: ${title} failed: ${error ? error.message : `${command} ${args[0]} ended with ${status}`}`,
  );
  console.error('hint: the lines above say why; once that is mended, run: npm run setup');
  process.exit(exitEnvironment);
}

function newestSourceMs() {
  const folders = [
    ...['packages', 'packages/guests', 'packages/libraries'].flatMap((parent) =>
      readdirSync(join(root, parent)).map((name) => `${parent}/${name}/src`),
    ),
    'loadgen/src',
    'packages/cli/build',
  ];
  const files = ['package-lock.json', ...folders.flatMap(filesBelow)];
  return Math.max(...files.map(modifiedMs));
}

function filesBelow(folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Modification time; 0 when the file does not exist. */
function modifiedMs(path) {
  const entry = statSync(join(root, path), { throwIfNoEntry: false });
  return entry ? entry.mtimeMs : 0;
}
