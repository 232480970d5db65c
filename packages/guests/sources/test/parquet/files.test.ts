/**
 * Files of other writers: the values that pyarrow 21 or later reads in them, or a refusal with a code. `files` has
 * small ones of pyarrow; with TOPO_BENCH_PARQUET_FILES, a folder with clones of github.com/apache/parquet-testing and
 * github.com/apache/arrow-testing, their files are read too. `pyarrow-values.json` has rows and digest of each.
 */
import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataType, type Field, type List, type RecordBatch, type Schema, Type } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { batchOfRows, type Cell, cellReader, openSource, type Source } from '../../src/index.ts';

const own = join(import.meta.dirname, 'files');
const read = JSON.parse(readFileSync(join(own, 'pyarrow-values.json'), 'utf8')) as Record<string, string>;
/** Its dates are beyond those of Python. */
const withoutDigest = 'nested_structs.rust.parquet';

describe('a file of pyarrow', () => {
  it.each<[string, unknown[][]]>([
    ['no-rows.parquet', []],
    [
      'empty-groups.parquet',
      [
        ['1', 'x'],
        ['2', null],
        ['3', 'y'],
      ],
    ],
    [
      'far.parquet',
      [
        ['9223372036854775807', '2147483647'],
        ['-9223372036854775807', '-2147483648'],
      ],
    ],
  ])('%s has the values that were written, by columns and by rows', async (name, expected) => {
    const source = await openSource({ kind: 'parquet', file: join(own, name) });
    expect(await linesOf(source.columns({ batchRows: 2, connections: 1 }), source.schema)).toEqual(expected.map(json));
    expect(await linesOf(batchesOfRows(source), source.schema)).toEqual(expected.map(json));
    await source.close();
  });

  it.each<[string, string, string]>([
    ['never.parquet', 'TB_SOURCE_VALUE', 'column at: got 9223372036854775807000'],
    ['list-of-one-member.parquet', 'TB_SOURCE_TYPE', 'column l: got type list of an old form'],
    ['list-of-tuple.parquet', 'TB_SOURCE_TYPE', 'column l: got type list of an old form'],
  ])('%s is refused by columns and by rows', async (name, code, message) => {
    for (const path of ['columns', 'rows'] as const) {
      expect(await outcome(join(own, name), path), path).toMatch(new RegExp(`^${code} ${message}`));
    }
  });
});

/** A folder with clones of apache/parquet-testing and apache/arrow-testing. Without it there are no such tests. */
const folder = process.env.TOPO_BENCH_PARQUET_FILES;
const parts = ['parquet-testing/data', 'parquet-testing/bad_data', 'arrow-testing/data/parquet/fuzzing'];

/** Time of processors for a file, whose clock is that of other work too, and memory. */
const maxSeconds = 2;
const maxMiB = 600;

describe.each(folder === undefined ? [] : parts)('files of %s', (part) => {
  it('have the values that pyarrow reads, or are refused', { timeout: 300_000 }, async () => {
    const place = join(folder ?? '', part);
    expect(existsSync(place), place).toBe(true);
    const wrong: string[] = [];
    let same = 0;
    for (const { name } of readdirSync(place, { withFileTypes: true }).filter(isTable)) {
      for (const path of ['columns', 'rows'] as const) {
        const [begin, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
        const got = await outcome(join(place, name), path);
        const { user, system } = process.cpuUsage(begin);
        const seconds = (user + system) / 1e6;
        const mib = (process.memoryUsage.rss() - memory) / 2 ** 20;
        if (seconds > maxSeconds || mib > maxMiB)
          wrong.push(`${name} by ${path}: ${seconds.toFixed(1)} s and ${mib.toFixed(0)} MiB`);
        if (got === read[name]) same++;
        else if (!/^TB_SOURCE_(TYPE|DAMAGED|VALUE) /.test(got) && name !== withoutDigest)
          wrong.push(`${name} by ${path}: got ${got}, expected ${read[name]}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(same).toBeGreaterThan(0);
  });
});

function isTable(entry: Dirent): boolean {
  return entry.isFile() && !entry.name.endsWith('.md');
}

/** Rows and digest, or code and message. */
async function outcome(file: string, path: 'columns' | 'rows'): Promise<string> {
  let source: Source | undefined;
  try {
    source = await openSource({ kind: 'parquet', file });
    const batches = path === 'columns' ? source.columns({ batchRows: 10_000, connections: 1 }) : batchesOfRows(source);
    const lines = await linesOf(batches, source.schema);
    const digest = createHash('sha256').update(lines.map((line) => `${line}\n`).join(''));
    return `${lines.length} ${digest.digest('hex').slice(0, 16)}`;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code} ${message}`;
  } finally {
    await source?.close();
  }
}

async function* batchesOfRows(source: Source): AsyncGenerator<RecordBatch> {
  for await (const rows of source.rows({ batchRows: 2000 })) yield batchOfRows(source.schema, rows);
}

async function linesOf(batches: AsyncIterable<RecordBatch>, { fields }: Schema): Promise<string[]> {
  const lines: string[] = [];
  for await (const { data, numRows } of batches) {
    const readers = data.children.map((child) => cellReader(child));
    for (let row = 0; row < numRows; row++)
      lines.push(json(fields.map(({ type }, place) => plain(type, readers[place]?.(row) ?? null))));
  }
  return lines;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Numbers as text, floats as their bytes, bytes in hex: what the script of the digests writes too. */
function plain(type: DataType, value: Cell): unknown {
  if (value === null) return null;
  if (type.typeId === Type.List) return (value as Cell[]).map((one) => plain((type as List).valueType, one));
  if (type.typeId === Type.Struct) {
    const members = value as Record<string, Cell>;
    return Object.fromEntries(
      type.children.map((one: Field) => [one.name, plain(one.type, members[one.name] ?? null)]),
    );
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (type.typeId === Type.Float) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value as number);
    return Number.isNaN(value) ? 'nan' : bytes.toString('hex');
  }
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
}
