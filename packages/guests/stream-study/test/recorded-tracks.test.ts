import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedTracks, trackInput } from '../src/input/recorded-tracks.ts';

const points = Array.from({ length: 1000 }, (_, n) => {
  const time = new Date(Date.UTC(2022, 5, 1) + 1000 * n).toISOString();
  return `<trkpt lat="51" lon="13"><time>${time}</time></trkpt>`;
});
const text = `<?xml version="1.0"?><gpx><trk><name>Å</name><trkseg>${points.join('')}</trkseg></trk></gpx>`;
const little = (value: string): Buffer => Buffer.from(value, 'utf16le');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-tracks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string): Promise<RecordedTracks> {
  const text = `stream:\n  gpx: [${name}]\n`;
  return (await trackInput.read({ file: join(folder, 'e.yaml'), text }, {})) as RecordedTracks;
}

describe('a GPX file', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a mark', little(`\uFEFF${text}`)],
    ['UTF-16 of the other order', little(`\uFEFF${text}`).swap16()],
    ['UTF-16 without a mark', little(text)],
    ['UTF-16 of the other order without a mark', little(text).swap16()],
  ])('in %s has its points', async (name, bytes) => {
    writeFileSync(join(folder, `${name}.gpx`), bytes);
    const tracks = await read(`${name}.gpx`);
    expect(tracks.points).toBe(1000);
    const { timesMs } = await tracks.read();
    expect(timesMs[999]).toBe(Date.UTC(2022, 5, 1) + 999_000);
  });

  it.skipIf(process.platform === 'win32')('that is a pipe is refused, not waited for', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.gpx')]);
    await expect(read('pipe.gpx')).rejects.toMatchObject({
      problems: [expect.objectContaining({ message: expect.stringContaining('pipe.gpx: it is not a regular file') })],
    });
  });
});
