/** `validate` of the MCP server: it states nothing about files outside, not even whether they are there. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/commands/mcp/tools/validate.ts';
import { head, mcpFolder } from '../../fixtures/mcp-folder.ts';

const folder = mcpFolder();

async function problemsWith(gpx: string): Promise<{ code: string; message: string; line: number }[]> {
  const stream = `stream: { job: generate, gpx: [${JSON.stringify(gpx)}] }\n`;
  const file = folder.write('stream.yaml', `${head}kind: Experiment\nname: rides\n${stream}`);
  return ((await validate({ file }, await folder.context())) as { problems: never[] }).problems;
}

describe('validate of the MCP server', () => {
  it('answers the same for a track outside that is there and for one that is not', async () => {
    writeFileSync('../secret.txt', 'hunter2');
    for (const path of ['../secret.txt', '../absent.txt', '/etc/hostname', '/etc/absent']) {
      const problems = await problemsWith(path);
      expect(problems).toMatchObject([{ code: 'TB_USAGE', line: 4 }]);
      expect(problems[0]?.message).toMatch(/ is outside the folders that this server may read$/);
    }
  });

  it('checks a track inside', async () => {
    const points = Array.from(
      { length: 1000 },
      (_, at) => `<trkpt lat="1" lon="2"><time>${new Date(1e12 + 1000 * at).toISOString()}</time></trkpt>`,
    );
    folder.write('ride.gpx', `<gpx><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
    expect((await problemsWith('ride.gpx')).map(({ message }) => message)).toEqual([]);
    expect(await problemsWith('absent.gpx')).toMatchObject([{ code: 'TB_FILE_NOT_FOUND', line: 4 }]);
  });
});
