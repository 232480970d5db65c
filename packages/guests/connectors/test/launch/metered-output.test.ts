/** The end of the output of a program, as its reader reports it. */
import { describe, expect, it } from 'vitest';
import { MeteredOutput } from '../../src/launch/metered-output.ts';
import { reportLine } from '../../src/protocol/report.ts';

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

const status = '{"type":"TRACE","trace":{"type":"STREAM_STATUS"}}\n';
const report = reportLine(status.length, {});

describe('the output of a program', () => {
  it('has arrived with its report, wherever it was split, and shows it once', async () => {
    for (let cut = 1; cut < report.length; cut += 7) {
      let read = 0;
      const texts = [status, report.slice(0, cut), report.slice(cut)];
      const output = new MeteredOutput(chunksOf(...texts), { requestedMs: 0 }, () => read++);
      const seen: number[] = [];
      for await (const _ of output) seen.push(read);
      expect([...seen, read]).toEqual([0, 0, 1, 1]);
      expect(output.summary()).toMatchObject({ outputBytes: status.length, report: { outputBytes: status.length } });
    }
  });

  it('counts as read where its reader stops early', async () => {
    let read = 0;
    for await (const _ of new MeteredOutput(chunksOf(status, report), { requestedMs: 0 }, () => read++)) break;
    expect(read).toBe(1);
  });
});
