/** Runs Python programs with pyarrow as the other side of a connection. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const python = process.env.TOPO_BENCH_PYTHON ?? 'python3';

/** Why a module of Python is not there, undefined when it is. In CI nothing may be missing. */
export function missingModule(name: string): string | undefined {
  if (process.env.CI === 'true') return undefined;
  try {
    execFileSync(python, ['-c', `import ${name}`], { stdio: 'ignore' });
    return undefined;
  } catch {
    return `${python} has no ${name}; set TOPO_BENCH_PYTHON to one that has`;
  }
}

function start(script: string, args: readonly string[]): { child: ChildProcess; errors: () => string } {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  return { child, errors: () => errors };
}

/**
 * Runs a script beside this file to its end.
 * @returns what it printed, as JSON;
 * @throws with what it wrote to stderr
 */
export async function runPython<T>(script: string, ...args: string[]): Promise<T> {
  const { child, errors } = start(script, args);
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${errors()}`);
  return JSON.parse(output) as T;
}

/** Starts a server that prints its location as its first line and ends when its input does. */
export async function startPython(
  script: string,
  ...args: string[]
): Promise<{ location: string; stop: () => Promise<void> }> {
  const { child, errors } = start(script, args);
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const location = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    closed.then(() => Promise.reject(new Error(`${script} ended: ${errors()}`))),
  ]);
  return {
    location,
    stop: async () => {
      child.stdin?.end();
      await closed;
    },
  };
}
