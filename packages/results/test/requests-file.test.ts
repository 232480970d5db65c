import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type KeptRequest, RequestsFile, readRequests } from '../src/requests-file.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const request = (id: string) => ({
  id,
  class: 'order',
  origin: 'eu',
  categories: ['personal'],
  consents: [],
  purpose: 'contract',
  payload: { customer: 'a\nb' },
});

async function idsIn(folder: string): Promise<string[]> {
  const lines = (await readFile(join(folder, 'requests.ndjson'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).map(({ sequence, id }) => `${sequence.repetition}/${id}`);
}

test('requests that cells share are written once for each sequence', async () => {
  const folder = await temporaryFolder();
  const file = await RequestsFile.open(folder);
  await file.append({ repetition: 1 }, [request('0'), request('1')]);
  await file.append({ repetition: 1 }, [request('0'), request('1'), request('2')]);
  await file.append({ repetition: 2 }, [request('0')]);
  expect(await idsIn(folder)).toEqual(['1/0', '1/1', '1/2', '2/0']);
});

test('opened again, it continues after the last whole line', async () => {
  const folder = await temporaryFolder();
  await (await RequestsFile.open(folder)).append({ repetition: 1 }, [request('0'), request('1')]);
  await appendFile(join(folder, 'requests.ndjson'), '{"sequence":{"repetition":1},"id":"2","cl');
  await (await RequestsFile.open(folder)).append({ repetition: 1 }, [request('1'), request('2')]);
  expect(await idsIn(folder)).toEqual(['1/0', '1/1', '1/2']);
});

test('a line that is not a request is reported with its location', async () => {
  const folder = await temporaryFolder();
  await (await RequestsFile.open(folder)).append({ repetition: 1 }, [request('0')]);
  await writeFile(join(folder, 'requests.ndjson'), 'garbage\n', { flag: 'a' });
  await expect(RequestsFile.open(folder)).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_DAMAGED',
    location: { line: 2 },
  });
});

test('requests are read as they were written, each with its sequence', async () => {
  const folder = await temporaryFolder();
  const read = async (): Promise<KeptRequest[]> => {
    const found = [];
    for await (const one of readRequests(folder)) found.push(one);
    return found;
  };
  expect(await read()).toEqual([]);
  const file = await RequestsFile.open(folder);
  await file.append({ repetition: 1 }, [request('0')]);
  await file.append({ repetition: 2 }, [request('0')]);
  expect(await read()).toEqual([1, 2].map((repetition) => ({ sequence: { repetition }, ...request('0') })));
});
