/**
 * The command line of a generator host: `--listen HOST:PORT --token-file FILE`. It prints one line of JSON when it
 * accepts links, and runs until SIGTERM or SIGINT.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GeneratorListener } from './generator-listener.ts';

const usage = 'usage: load-worker.js --listen HOST:PORT --token-file FILE';
const minTokenLength = 16;

/** @param entry script of this process, which its generator processes run too */
export async function runGeneratorListener(args: readonly string[], entry: string): Promise<void> {
  try {
    const { listen, 'token-file': tokenFile } = parseArgs({
      args: [...args],
      options: { listen: { type: 'string' }, 'token-file': { type: 'string' } },
    }).values;
    const { host, port } = addressOf(listen ?? '');
    if (tokenFile === undefined) throw new Error(usage);
    const token = readFileSync(tokenFile, 'utf8').trim();
    if (token.length < minTokenLength)
      throw new Error(`${tokenFile}: the token has ${token.length} characters, expected ${minTokenLength} or more`);
    // From the sources, the default script brings its own loader.
    const workerPath = entry.endsWith('.ts') ? undefined : entry;
    const running = await GeneratorListener.listen({ host, port, token, workerPath });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void running.close().then(() => process.exit(0)));
    }
    const { address, port: bound } = running.address;
    process.stdout.write(`${JSON.stringify({ listening: { address, port: bound } })}\n`);
  } catch (error) {
    process.stderr.write(`load generator host: ${(error as Error).message}\n`);
    process.exitCode = 2;
  }
}

/** IPv6 addresses are in brackets: `[::]:8082`. */
function addressOf(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || !(port <= 65_535)) throw new Error(`--listen is ${JSON.stringify(text)}; ${usage}`);
  return { host, port };
}
