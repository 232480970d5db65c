import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../src/run-folder.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { exampleCell, exampleRecord, exampleSamples } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

async function aRun(): Promise<string> {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  await writer.storeRepetition(exampleCell({ architecture: 'none' }, 1), exampleSamples);
  await writer.finish('finished');
  return folder;
}

async function edit(path: string, change: (value: Record<string, unknown>) => void): Promise<void> {
  const value = JSON.parse(await readFile(path, 'utf8'));
  change(value);
  await writeFile(path, JSON.stringify(value));
}

test('a missing folder, a folder without a run, and a file have different errors', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(openRun(join(folder, 'gone'))).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_FOUND', exitCode: 2 });
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_FOUND', message: /no run\.json/ });
  await expect(openRun(file)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_A_FOLDER' });
  await expect(createRun(file, exampleRecord())).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_A_FOLDER' });
  await expect(createRun(join(file, 'below'), exampleRecord())).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_NOT_A_FOLDER',
  });
});

test.each(['run.json', 'cells.json'])('a truncated or empty %s is reported as damaged, by name', async (name) => {
  const folder = await aRun();
  await truncate(join(folder, name), 40);
  await expect(openRun(folder)).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_DAMAGED',
    message: new RegExp(`${name} is damaged`),
  });
  await truncate(join(folder, name), 0);
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED', message: /it is empty/ });
});

test('resuming a damaged run touches none of its samples', async () => {
  const folder = await aRun();
  const { cells } = await openRun(folder);
  await truncate(join(folder, 'cells.json'), 40);
  await expect(resumeRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED' });
  expect((await readFile(join(folder, cells[0]!.samples!))).subarray(0, 4).toString()).toBe('PAR1');
});

test('a missing cells.json is named', async () => {
  const folder = await aRun();
  await rm(join(folder, 'cells.json'));
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_FOUND', message: /cells\.json/ });
});

test.each([0, 2])('schema version %i is refused with the version that wrote it', async (version) => {
  const folder = await aRun();
  await edit(join(folder, 'run.json'), (record) => {
    record.schemaVersion = version;
    record.aFieldOfAnotherVersion = true;
  });
  await expect(openRun(folder)).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_VERSION',
    exitCode: 2,
    message: expect.stringContaining(`schema version ${version}`),
    hint: expect.stringContaining('topo-bench 0.1.0'),
  });
});

test('JSON that is not a run record is reported as damaged, with the wrong fields', async () => {
  const folder = await aRun();
  await writeFile(join(folder, 'run.json'), 'null');
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED', message: /no schemaVersion/ });
  await writeFile(join(folder, 'run.json'), '{"schemaVersion":1,"seed":"one"}');
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED', message: /name: .*status: / });
});

test('a cell entry with a wrong field is named by its place', async () => {
  const folder = await aRun();
  await writeFile(
    join(folder, 'cells.json'),
    (await readFile(join(folder, 'cells.json'), 'utf8')).replace('"unfinished":1,', '"unfinished":-1,'),
  );
  await expect(openRun(folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED', message: /0\.unfinished/ });
});
