import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sample } from '@topo-bench/core';
import { parquetMetadata, parquetSchema } from 'hyparquet';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { encodeSamples, readSamples, readSampleTimes } from '../src/samples-file.ts';
import { samplesSchema } from '../src/samples-schema.ts';
import { exampleSamples } from './fixtures/example-record.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

async function written(samples: readonly Sample[]): Promise<string> {
  const path = join(await temporaryFolder(), 'samples.parquet');
  await writeFile(path, encodeSamples(samples));
  return path;
}

test('every field of every request is read back as written, in order', async () => {
  expect(await readSamples(await written(exampleSamples))).toEqual(exampleSamples);
});

test('a file of a version without digests, origins and links of clients is readable', async () => {
  const path = join(await temporaryFolder(), 'older.parquet');
  const first = samplesSchema.findIndex(({ name }) => name === 'delivered');
  const rows = exampleSamples.slice(1).map(({ steps: _, exposureBytes: __, ...row }) => row);
  const names = Object.keys(rows[0]!) as (keyof (typeof rows)[0])[];
  const columnData = [
    ...names.map((name) => ({ name, data: rows.map((row) => row[name]) })),
    { name: 'exposureBytes', data: rows.map(() => [{ category: 'personal', bytes: 7 }]) },
    { name: 'steps', data: rows.map(() => [{ service: 'orders', effect: 'deny', rule: null }]) },
  ];
  const writer = new ByteWriter();
  const older = samplesSchema.slice(1, first).filter(({ name }) => name !== 'clientLinkUs' && name !== 'origin');
  parquetWrite({ writer, schema: [{ name: 'root', num_children: 14 }, ...older], columnData });
  await writeFile(path, new Uint8Array(writer.getBuffer()));
  const steps = [{ service: 'orders', effect: 'deny' }];
  expect(await readSamples(path)).toEqual(rows.map((row) => ({ ...row, exposureBytes: { personal: 7 }, steps })));
  expect((await readSampleTimes(path))[0]).toMatchObject({ intendedUs: rows[0]?.intendedUs });
});

test('a repetition without requests has a readable file without rows', async () => {
  expect(await readSamples(await written([]))).toEqual([]);
});

test('more rows than a row group fits keep their order', async () => {
  const many = Array.from({ length: 2500 }, (_, index) => ({ ...exampleSamples[index % 3]!, id: `r1-${index}` }));
  const read = await readSamples(await written(many));
  expect(read.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
  expect(read[1501]).toEqual(many[1501]);
});

test('times can be read without the other columns', async () => {
  const times = await readSampleTimes(await written(exampleSamples));
  expect(times.map(({ rttUs, outcome }) => [rttUs, outcome])).toEqual([
    [3500.125, 'completed'],
    [900, 'refused'],
    [null, 'unfinished'],
  ]);
});

test('the file is compressed, and its steps are a list of structs for SQL to unnest', () => {
  const metadata = parquetMetadata(encodeSamples(exampleSamples).slice().buffer);
  expect(metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.codec)).not.toContain('UNCOMPRESSED');
  const steps = parquetSchema(metadata).children.find(({ element }) => element.name === 'steps');
  expect(steps?.element.logical_type).toEqual({ type: 'LIST' });
  expect(steps?.children[0]?.children[0]?.children.map(({ element }) => element.name)).toEqual([
    'service',
    'effect',
    'rule',
    'version',
    'undecided',
    'takenOver',
  ]);
});

test('a truncated file is reported as damaged, a missing one as not found', async () => {
  const path = join(await temporaryFolder(), 'cut.parquet');
  await writeFile(path, encodeSamples(exampleSamples).subarray(0, 400));
  await expect(readSamples(path)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_DAMAGED' });
  await expect(readSamples(`${path}.gone`)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_FOUND' });
});
