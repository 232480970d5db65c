import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { expect, test } from 'vitest';
import { RequestsFile } from '../src/requests-file.ts';
import { openRun, samplesOf } from '../src/run-folder.ts';
import { createRun, resumeRun } from '../src/run-writer.ts';
import { readSamples } from '../src/samples-file.ts';
import { writeSpans } from '../src/spans-file.ts';
import { exampleCell, exampleRecord, exampleSamples } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const none = { architecture: 'none' };
const sidecar = { architecture: 'sidecar' };

test('stored repetitions are read back, with infinite and missing figures', async () => {
  const folder = join(await temporaryFolder(), 'runs', 'new');
  const writer = await createRun(folder, exampleRecord());
  const stored = await writer.storeRepetition(exampleCell(none, 1), exampleSamples);
  await writer.finish('finished');

  const run = await openRun(folder);
  expect(run.record).toMatchObject({ status: 'finished', seed: 1, finishedAt: expect.any(String) });
  expect(run.cells).toEqual([stored]);
  expect(run.cells[0]?.rtt).toMatchObject({
    medianUs: 200,
    maxUs: Number.POSITIVE_INFINITY,
    meanUs: Number.POSITIVE_INFINITY,
  });
  expect(await readSamples(samplesOf(run, stored)!)).toEqual(exampleSamples);
});

test.skipIf(process.platform === 'win32')('a new run folder is for its owner only, and so are its files', async () => {
  const parent = await temporaryFolder();
  const folder = join(parent, 'runs', 'new');
  const writer = await createRun(folder, exampleRecord());
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(join(folder, 'run.lock'))).toBe('600');
  const { samples = '' } = await writer.storeRepetition(exampleCell(none, 1), exampleSamples);
  await writeSpans(folder, samples, [{ id: 'a', role: 'a', service: 'a', kind: 'call', startUs: 0, durationUs: 1 }]);
  await RequestsFile.open(folder);
  await writer.finish('finished');
  await mkdir(join(parent, 'made'));
  expect(await modeOf(folder)).toBe('700');
  expect(await modeOf(join(parent, 'runs'))).toBe(await modeOf(join(parent, 'made')));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(3);
  for (const { name, parentPath } of files) expect([name, await modeOf(join(parentPath, name))]).toEqual([name, '600']);
});

test('the files contain plain JSON: infinity is a string, a missing figure null', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  await writer.storeRepetition(exampleCell(none, 1), []);
  await writer.close();
  const [entry] = JSON.parse(await readFile(join(folder, 'cells.json'), 'utf8'));
  expect(entry.rtt.maxUs).toBe('Infinity');
  expect(entry.rtt.meanUs).toBe('Infinity');
  expect(entry.rtt.p95Us).toBeNull();
});

test('a run can be read while it is written', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  expect(await openRun(folder)).toMatchObject({ record: { status: 'running' }, cells: [] });
  await writer.storeRepetition(exampleCell(none, 1), exampleSamples);
  expect((await openRun(folder)).cells).toHaveLength(1);
  await writer.close();
});

test('a resumed run lists done and missing repetitions, and is no longer marked as interrupted', async () => {
  const folder = await temporaryFolder();
  const first = await createRun(folder, exampleRecord());
  await first.storeRepetition(exampleCell(none, 1), exampleSamples);
  await first.finish('interrupted');

  const second = await resumeRun(
    folder,
    exampleRecord({ startedAt: '2026-01-01T00:00:00.000Z', command: ['run', '--resume'] }),
  );
  expect(second.record.status).toBe('running');
  expect(second.record.finishedAt).toBeUndefined();
  expect(second.entryOf(none, 1)).toBeDefined();
  expect(second.missing).toEqual([
    { factors: sidecar, repetition: 1 },
    { factors: none, repetition: 2 },
    { factors: sidecar, repetition: 2 },
  ]);
  for (const { factors, repetition } of second.missing) {
    await second.storeRepetition(exampleCell(factors, repetition), exampleSamples);
  }
  await second.finish('finished');
  expect((await openRun(folder)).cells.map(({ factors, repetition }) => [factors.architecture, repetition])).toEqual([
    ['none', 1],
    ['sidecar', 1],
    ['none', 2],
    ['sidecar', 2],
  ]);
});

test('resuming removes incomplete files and samples of an interrupted repetition, and keeps the others', async () => {
  const folder = await temporaryFolder();
  const first = await createRun(folder, exampleRecord());
  const { samples } = await first.storeRepetition(exampleCell(none, 1), exampleSamples);
  await first.close();
  await writeFile(join(folder, '.cells.json.tmp'), '[{"fact');
  await writeFile(join(folder, 'samples', '.x.parquet.tmp'), 'PAR1');
  await writeFile(join(folder, 'samples', 'sidecar_r1_00000000.parquet'), 'PAR1');
  await (await resumeRun(folder)).close();
  expect((await readdir(folder)).sort()).toEqual(['cells.json', 'run.json', 'samples']);
  expect(await readdir(join(folder, 'samples'))).toEqual([samples?.slice('samples/'.length)]);
});

test('a run does not continue with another experiment, seed or machine; the fields are named', async () => {
  const folder = await temporaryFolder();
  await (await createRun(folder, exampleRecord())).finish('interrupted');
  const { environment } = exampleRecord();
  const other = exampleRecord({
    seed: 2,
    experiment: { kind: 'Experiment', duration: 2e6 },
    environment: { ...environment, node: '99.0.0' },
  });
  await expect(resumeRun(folder, other)).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_DIFFERENT_EXPERIMENT',
    exitCode: 2,
    message: expect.stringMatching(
      /3 fields differ.*experiment\.duration was 1000000, is now 2000000.*seed was 1, is now 2.*environment\.node/,
    ),
  });
});

test('an undefined field and an absent one are the same set-up', async () => {
  const folder = await temporaryFolder();
  await (await createRun(folder, exampleRecord())).finish('interrupted');
  const same = exampleRecord({ experiment: { kind: 'Experiment', duration: 1e6, published: undefined } });
  const writer = await resumeRun(folder, same);
  expect(writer.record.experiment).toEqual({ kind: 'Experiment', duration: 1e6 });
  await writer.close();
});

test('the same repetition is not stored twice', async () => {
  const writer = await createRun(await temporaryFolder(), exampleRecord());
  await writer.storeRepetition(exampleCell({ a: 1, b: 2 }, 1), []);
  await expect(writer.storeRepetition(exampleCell({ b: 2, a: 1 }, 1), [])).rejects.toMatchObject({
    code: 'TB_INTERNAL',
  });
  await writer.close();
});

const late = { valid: false, reasons: ['late'], flags: [], onlyLate: true as const };
const again = exampleSamples.slice(0, 1);

test('a late repetition is superseded when remeasured, and stays listed with its samples in another folder', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  const resources = { gateway: { cpuPercent: 3 }, host: { idlePercent: 50, stolenPercent: 2 } };
  const first = await writer.storeRepetition(
    exampleCell(none, 1, { validity: late, achievedRps: 90, resources }),
    exampleSamples,
  );
  await writer.storeRepetition(exampleCell(sidecar, 1), exampleSamples);
  await writer.storeRepetition(exampleCell(none, 1, { validity: late }), []);
  const third = await writer.storeRepetition(exampleCell(none, 1), again);
  await writer.close();

  const run = await openRun(folder);
  expect(run.cells.map(({ factors }) => factors)).toEqual([sidecar, none]);
  expect(run.cells[1]).toEqual(third);
  expect(await readSamples(samplesOf(run, third)!)).toEqual(again);
  const [oldest, second] = third.discarded!;
  expect(oldest).toEqual({
    achievedRps: 90,
    rtt: first.rtt,
    responseTime: first.responseTime,
    schedulerLag: first.schedulerLag,
    host: resources.host,
    validity: late,
    samples: `samples/discarded/${basename(first.samples!)}`,
  });
  expect(await readSamples(samplesOf(run, oldest!)!)).toEqual(exampleSamples);
  expect(await readSamples(samplesOf(run, second!)!)).toEqual([]);
  expect(new Set([first.samples, oldest!.samples, second!.samples, third.samples]).size).toBe(4);
  const beside = run.cells.map(({ samples }) => basename(samples!));
  expect((await readdir(join(folder, 'samples'))).sort()).toEqual([...beside, 'discarded'].sort());
  await (await resumeRun(folder)).close();
  expect(await readdir(join(folder, 'samples'), { recursive: true })).toHaveLength(5);
});

test('a crash before the new entry is stored leaves the old one with its samples; leftovers are removed', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  const first = await writer.storeRepetition(exampleCell(none, 1, { validity: late }), exampleSamples);
  const before = await readFile(join(folder, 'cells.json'));
  await writer.storeRepetition(exampleCell(none, 1), again);
  await writer.close();
  // As the crash would have left it: everything but cells.json, and the old samples not yet removed.
  await writeFile(join(folder, 'cells.json'), before);
  await copyFile(join(folder, 'samples', 'discarded', basename(first.samples!)), join(folder, first.samples!));

  const resumed = await resumeRun(folder);
  await resumed.close();
  expect(resumed.cells).toEqual([first]);
  expect(await readdir(join(folder, 'samples'), { recursive: true })).toEqual(
    expect.arrayContaining([basename(first.samples!), 'discarded']),
  );
  expect(await readdir(join(folder, 'samples'), { recursive: true })).toHaveLength(2);
});

test('a repetition without its samples can be superseded', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  const first = await writer.storeRepetition(exampleCell(none, 1, { validity: late }), exampleSamples);
  await rm(join(folder, first.samples!));
  const second = await writer.storeRepetition(exampleCell(none, 1), again);
  await writer.close();
  expect(second.discarded).toHaveLength(1);
  expect(second.discarded?.[0]?.samples).toBeUndefined();
});

test('a repetition that is invalid for another reason is not superseded', async () => {
  const writer = await createRun(await temporaryFolder(), exampleRecord());
  const wrong = { valid: false, reasons: ['1 wrong decision'], flags: [] };
  await writer.storeRepetition(exampleCell(none, 1, { validity: wrong }), []);
  await expect(writer.storeRepetition(exampleCell(none, 1), [])).rejects.toMatchObject({ code: 'TB_INTERNAL' });
  await writer.close();
});

test('verdicts are replaced all at once, and nothing else of the entries', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  const first = await writer.storeRepetition(exampleCell(none, 1), exampleSamples);
  const second = await writer.storeRepetition(exampleCell(sidecar, 1), exampleSamples);
  const validity = { ...late, lagLimit: { p99Us: Number.POSITIVE_INFINITY, meanUs: 20 } };
  const otherwise: Cell = { ...second, achievedRps: 1, validity };
  await writer.storeVerdicts([otherwise]);
  expect(writer.entryOf(sidecar, 1)).toEqual({ ...second, validity });
  expect((await openRun(folder)).cells).toEqual([first, { ...second, validity }]);
  const unknown = exampleCell(sidecar, 2);
  await expect(writer.storeVerdicts([{ ...first, validity: late }, unknown])).rejects.toMatchObject({
    code: 'TB_INTERNAL',
  });
  expect((await openRun(folder)).cells).toEqual([first, { ...second, validity }]);
  await writer.close();
});

test('an entry that breaks its schema is rejected, and earlier ones stay', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  await writer.storeRepetition(exampleCell(none, 1), []);
  const broken = exampleCell(sidecar, 1, { achievedRps: Number.NaN });
  await expect(writer.storeRepetition(broken, [])).rejects.toMatchObject({ code: 'TB_INTERNAL' });
  await writer.close();
  expect((await openRun(folder)).cells).toHaveLength(1);
});

test('levels that are not valid in file names still have a file each', async () => {
  const folder = await temporaryFolder();
  const writer = await createRun(folder, exampleRecord());
  const odd = [{ engine: '../../etc/passwd' }, { engine: '..-..-etc-passwd' }, { engine: 'x'.repeat(300) }, {}];
  const paths = new Set<string>();
  for (const factors of odd)
    paths.add((await writer.storeRepetition(exampleCell(factors, 1), exampleSamples)).samples!);
  await writer.close();
  expect(paths.size).toBe(4);
  expect(await readdir(join(folder, 'samples'))).toHaveLength(4);
});

test('a folder that is not empty is rejected for a new run', async () => {
  const folder = await temporaryFolder();
  await (await createRun(folder, exampleRecord())).finish('finished');
  await expect(createRun(folder, exampleRecord())).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_EXISTS',
    hint: expect.stringContaining('--resume'),
  });
  const home = await temporaryFolder();
  await mkdir(join(home, 'photos'));
  await expect(createRun(home, exampleRecord())).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_EXISTS', exitCode: 2 });
});
