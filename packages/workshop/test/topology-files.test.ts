/** What Save leaves on the disk. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { openFiles, saveFiles } from '../src/server/topology-files.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    async writeFile(path: string, text: string, options: object) {
      if (text.includes('# too long')) throw new Error('no space is left');
      await real.writeFile(path, text, options);
    },
  };
});

const folder = temporaryFolder();

async function opened(name: string, topology: string) {
  mkdirSync(join(folder, name));
  const paths = { topology: join(folder, name, 'topology.yaml'), rules: join(folder, name, 'rules.yaml') };
  writeFileSync(paths.topology, topology);
  writeFileSync(paths.rules, '# rules');
  const files = await openFiles(paths.topology);
  const onDisk = () => ({ topology: readFileSync(paths.topology, 'utf8'), rules: readFileSync(paths.rules, 'utf8') });
  return { files, onDisk, names: () => readdirSync(join(folder, name)) };
}

it('saves neither file where the disk has no space for the second', async () => {
  const { files, onDisk, names } = await opened('full', 'rules: rules.yaml\n');
  const before = onDisk();
  const request = { topology: '# changed\nrules: rules.yaml\n', rules: '# too long', before };
  await expect(saveFiles(files, request)).rejects.toThrow('no space is left');
  expect([onDisk(), files.texts, names()]).toEqual([before, before, ['rules.yaml', 'topology.yaml']]);
  await saveFiles(files, { ...request, rules: '# stricter' });
  expect(onDisk()).toEqual({ topology: request.topology, rules: '# stricter' });
});

it('states that rules are not saved where the opened topology names none', async () => {
  const { files, onDisk } = await opened('bare', 'name: a\n');
  const before = { topology: 'name: a\n' };
  const { saved } = await saveFiles(files, { topology: 'name: a\n', rules: '# of a link', before });
  expect(saved).toBe('nothing: no text was changed, and no rules: the opened file names none');
  expect([onDisk().rules, files.texts]).toEqual(['# rules', before]);
});
