/** What `up` prints for a shell works as printed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { curlLines, hasCurl, inShell } from './fixtures/curl.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

describe.skipIf(!hasCurl)('the curl lines of up (needs curl)', () => {
  const linesOf = async (
    topology: string,
  ): Promise<{ stdout: string; answers: Map<string, string>; token: string }> => {
    const env = { XDG_STATE_HOME: temporaryFolder() };
    const running = startTopoBench(['up', `topologies/${topology}.yaml`], { env });
    await running.saw('Ctrl-C stops it');
    const stdout = running.stdout();
    const answers = new Map(curlLines(stdout).map((line) => [line, inShell(line)]));
    const [file] = /\S+\.token/.exec(stdout) ?? [];
    const token = file === undefined ? '' : readFileSync(file, 'utf8');
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
    return { stdout, answers, token };
  };

  it.each([
    ['quickstart', '/', /"outcome":"(completed|refused)"/],
    ['columns', '/arrow', /"region":"(eu|us)"/],
    ['queries', '/items', /"items":\[\{.*\},\{.*\}\]/],
  ] as const)('of %s work as printed, and show no token', async (topology, path, answer) => {
    const { stdout, answers, token } = await linesOf(topology);
    expect([...answers.values()]).not.toContain('');
    const [, text] = [...answers].find(([line]) => line.includes(path)) ?? [];
    expect(text).toMatch(answer);
    if (topology === 'quickstart') return;
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(stdout).not.toContain(token);
  });
});
