import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { AskedChild } from '../../src/child/asked-child.ts';

type Request = { kind: 'double'; values: Float64Array } | { kind: 'fail' } | { kind: 'die' } | { kind: 'hang' };
type Answer = { kind: 'doubled'; values: Float64Array } | { kind: 'other' };

const answers = fileURLToPath(new URL('../../src/child/answers.ts', import.meta.url));
const script = `
import { spawn } from 'node:child_process';
import { answer, answerFailure } from ${JSON.stringify(answers)};
process.on('disconnect', () => process.exit(0));
process.on('message', ({ kind, values }) => {
  if (kind === 'double') answer({ kind: 'doubled', values: values.map((value) => 2 * value) });
  if (kind === 'fail') answerFailure(Object.assign(new Error('no luck'), { hint: 'unused' }), 'TB_STREAM_ENGINE');
  if (kind === 'hang') setInterval(() => {}, 1000);
  if (kind === 'die') {
    // The last line comes after the exit of the child: the pipe is still open in its descendant.
    spawn('/bin/sh', ['-c', 'sleep 0.3; echo last words >&2'], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] }).unref();
    process.exit(7);
  }
  if (kind === 'stop' && !globalThis.deaf) process.exit(0);
  globalThis.deaf = kind === 'hang';
});
`;

function start(graceMs = 10_000): AskedChild<Request, Answer> {
  const path = join(temporaryFolder(), 'child.mts');
  writeFileSync(path, script);
  const child = new AskedChild<Request, Answer>({
    name: 'the doubler',
    script: { path, execArgv: ['--import', import.meta.resolve('tsx')] },
    code: 'TB_ACCESS_CLIENT',
    graceMs,
  });
  onTestFinished(() => child.stop());
  return child;
}

describe('a child with requests', () => {
  it('answers one request after the other, and ends on request with a request pending', async () => {
    const child = start();
    for (const value of [1, 2]) {
      const { values } = await child.ask({ kind: 'double', values: Float64Array.of(value) }, 'doubled');
      expect(values).toEqual(Float64Array.of(2 * value));
    }
    await Promise.all([child.stop(), child.stop()]);
    await expect(child.ask({ kind: 'fail' }, 'other')).rejects.toMatchObject({
      code: 'TB_ACCESS_CLIENT',
      message: 'the doubler ended with exit code 0',
    });
  });

  it('reports a failure with the code of the child, and rejects later requests with it', async () => {
    const child = start();
    const failure = { code: 'TB_STREAM_ENGINE', message: 'no luck', hint: undefined };
    await expect(child.ask({ kind: 'fail' }, 'other')).rejects.toMatchObject(failure);
    await expect(child.ask({ kind: 'double', values: Float64Array.of(1) }, 'doubled')).rejects.toMatchObject(failure);
  });

  it('rejects an answer of another kind', async () => {
    await expect(start().ask({ kind: 'double', values: Float64Array.of(1) }, 'other')).rejects.toThrow(
      'answer to `double`: got `doubled`, expected `other`',
    );
  });

  it.skipIf(process.platform === 'win32')('names its end with the last line that its pipe delivers', async () => {
    await expect(start().ask({ kind: 'die' }, 'other')).rejects.toMatchObject({
      code: 'TB_ACCESS_CLIENT',
      message: 'the doubler ended with exit code 7\n  | last words',
    });
  });

  it('is killed after its grace period, which rejects its pending request', async () => {
    const child = start(200);
    await child.ask({ kind: 'double', values: Float64Array.of(1) }, 'doubled');
    const pending = expect(child.ask({ kind: 'hang' }, 'other')).rejects.toThrow('the doubler was ended by SIGKILL');
    await child.stop();
    await pending;
  });
});
