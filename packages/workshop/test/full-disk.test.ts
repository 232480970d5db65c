/** What the server answers on a full disk: nothing is half written, and the message names the file. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type SmallDisk, smallDisk } from '../../../test/fixtures/small-disk.ts';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { askJob, openWorkshop } from './fixtures/opened-workshop.ts';
import { generated } from './fixtures/question.ts';

/** The working directory until the test ends; undefined where none can be mounted. */
function workOnSmallDisk(skip: (reason: string) => never): SmallDisk {
  const disk = smallDisk(join(temporaryFolder(), 'disk'), 'size=8m');
  if (typeof disk === 'string') skip(disk);
  const before = process.cwd();
  process.chdir(disk.folder);
  onTestFinished(() => {
    process.chdir(before);
    disk.unmount();
  });
  return disk;
}

const texts = { topology: generated.replace('generate: 24', 'generate: 2') };
const settings = { rate: 20, cores: 2, machines: 'one' };
const free = 'free some space there, or choose another place';

it('keeps both files where one of their new texts has no space', async ({ skip }) => {
  const disk = workOnSmallDisk(skip);
  const { server, text, rules } = await openWorkshop({ folder: disk.folder });
  const before = { topology: text(), rules: rules() };
  disk.leave(8192);
  const save = (rulesText: string): Promise<unknown[]> =>
    askJob(server.url, 'save', { topology: `${before.topology}# changed\n`, rules: rulesText, before });
  const large = before.rules + `# ${'x'.repeat(100)}\n`.repeat(1000);
  expect(await save(large)).toEqual([{ message: 'cannot write gdpr.yaml: the disk is full', hint: free }]);
  expect([text(), rules(), readdirSync('.')]).toEqual([before.topology, before.rules, ['gdpr.yaml', 'topology.yaml']]);
  disk.leave(1 << 20);
  expect(await save(large)).toEqual([{ saved: 'topology.yaml and gdpr.yaml' }]);
  expect(rules()).toBe(large);
});

it.for([
  ['of the inputs', 4096],
  ['of the run', 128 << 10],
] as const)('leaves no decision without the space %s', async ([, bytes], { skip }) => {
  const disk = workOnSmallDisk(skip);
  const { server } = await openWorkshop({ folder: temporaryFolder() });
  disk.leave(bytes);
  const asked = { texts, settings, routers: 1, option: 'sidecar' };
  expect((await askJob(server.url, 'decide', asked)).at(-1)).toEqual({
    ...{ kind: 'failed', hint: free },
    message: expect.stringMatching(/^cannot write runs\/\S*workshop-decision\S*: the disk is full$/),
  });
  expect(readdirSync('runs')).toEqual([]);
});

it('keeps finished repetitions of a proof, and names the way on', async ({ skip }) => {
  const disk = workOnSmallDisk(skip);
  const { server } = await openWorkshop({ folder: temporaryFolder() });
  disk.leave(20 << 10);
  expect((await askJob(server.url, 'prove', { texts, settings, architecture: 'none' })).at(-1)).toMatchObject({
    ...{ kind: 'failed', message: expect.stringMatching(/^cannot write .*: the disk is full$/) },
    hint: expect.stringContaining('--resume'),
  });
});
