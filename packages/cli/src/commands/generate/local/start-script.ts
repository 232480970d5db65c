/** `start.mjs` of a project: it starts one process per role and ends all of them with itself. */

/** Roles read their documents from standard input and exit when it ends: they cannot outlive the script. */
const script = `import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const entry = process.env.TOPO_BENCH_SERVICE ?? installedEntry();
const document = (path) => JSON.stringify(JSON.parse(readFileSync(join(folder, path), 'utf8')));
const graph = document('graph.json');
const files = readdirSync(join(folder, 'config')).filter((name) => name.endsWith('.json'));
let waiting = files.length;
let ending = false;

const roles = files.map((file) => {
  const config = document(join('config', file));
  const { name, kind, framework } = JSON.parse(config);
  const args = ['--no-memory-reducer', entry, kind, framework, name];
  const role = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = [config, document(join('secrets', file)), graph, '{"peers":{}}'];
  role.stdin.on('error', () => {});
  role.stdin.write(lines.map((line) => line + '\\n').join(''));
  createInterface({ input: role.stdout }).on('line', (line) => line === '{"ready":true}' && ready());
  role.on('exit', (code, signal) => ending || end(1, name + ' ended: ' + (signal ?? code)));
  return role;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(0));

function ready() {
  waiting -= 1;
  if (waiting === 0) console.log('ready: ' + gatewayUrl);
}

function end(code, reason) {
  ending = true;
  if (reason !== undefined) console.error(reason);
  process.exitCode = code;
  for (const role of roles) role.stdin.end();
}

function installedEntry() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('topo-bench/package.json')), 'dist', 'service.cjs');
  } catch {
    console.error('topo-bench is not installed here: npm install topo-bench, or set TOPO_BENCH_SERVICE to its service.cjs');
    process.exit(3);
  }
}
`;

/** @param head comment without its marks */
export function startScript(head: string, gatewayUrl: string): string {
  const comment = head.split('\n').map((line) => `//${line}`);
  const [imports, code] = split(script, 'const folder');
  return `${comment.join('\n')}\n\n${imports}const gatewayUrl = '${gatewayUrl}';\n${code}`;
}

function split(text: string, before: string): [string, string] {
  const at = text.indexOf(before);
  return [text.slice(0, at), text.slice(at)];
}
