import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorKindOf, errorKinds, failureKind } from '../src/error-kind.ts';
import { transferFailureKinds } from '../src/flight/transfer-stream.ts';
import { emptySamples } from '../src/samples.ts';

describe('the kind of a failed request', () => {
  it('is http-<status> with a response, else the reason for the missing one', () => {
    const samples = emptySamples(2);
    samples.status.set([502, 0]);
    samples.error.set([0, errorKinds.indexOf('timeout')]);
    expect([failureKind(samples, 0), failureKind(samples, 1)]).toEqual(['http-502', 'timeout']);
  });

  it('follows from the error of a socket', () => {
    const thrown = (code: string) => Object.assign(new Error(code), { code });
    expect(['ECONNREFUSED', 'EPIPE', 'HPE_INVALID_CONSTANT', 'EWHAT'].map(thrown).map(errorKindOf)).toEqual([
      'connection-refused',
      'connection-reset',
      'protocol',
      'other',
    ]);
  });

  it('is in the table of docs/load.md', () => {
    const page = readFileSync(new URL('../../docs/load.md', import.meta.url), 'utf8');
    const table = page.split('\n').filter((line) => line.startsWith('| `'));
    for (const kind of [...errorKinds.slice(1), ...transferFailureKinds])
      expect(table.join('\n')).toContain(`\`${kind}\``);
  });
});
