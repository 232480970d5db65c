/** The sides of each store, with what each ends with: only equal ends are a comparison of equal work. */
import type { SourceKind } from '../src/index.ts';
import type { Path } from './peers/order.ts';

export interface Side {
  name: string;
  endsWith: string;
  program: 'node' | 'adbc_reader.py' | 'parquet_reader.py';
  path: Path;
  connections?: number;
}

export interface Comparison {
  title: string;
  /** The first are columns on one connection. */
  sides: readonly Side[];
  targets: readonly { of: string; to: string; min: number }[];
}

const batches = 'Arrow batches of 100 000 rows';
const columns: Side = { name: 'columns', endsWith: batches, program: 'node', path: 'columns' };
const ranges: Side = { ...columns, name: 'columns, 2 connections', connections: 2 };

export const comparisons: Readonly<Record<SourceKind, Comparison>> = {
  postgresql: {
    title: 'PostgreSQL',
    sides: [
      columns,
      ranges,
      { name: 'pg cursor', endsWith: 'row objects', program: 'node', path: 'rows' },
      { name: 'pg cursor to Arrow', endsWith: batches, program: 'node', path: 'rows to columns' },
      { name: 'ADBC', endsWith: 'Arrow batches, decimals as text', program: 'adbc_reader.py', path: 'columns' },
      { name: 'COPY undecoded', endsWith: 'bytes, counted', program: 'node', path: 'copy' },
      { name: 'pg-copy-streams undecoded', endsWith: 'bytes, counted', program: 'node', path: 'copy-streams' },
    ],
    targets: [
      { of: 'columns', to: 'pg cursor', min: 2 },
      { of: 'columns', to: 'ADBC', min: 2.5 },
      { of: 'columns', to: 'COPY undecoded', min: 0.85 },
      { of: 'columns, 2 connections', to: 'pg cursor', min: 3 },
    ],
  },
  parquet: {
    title: 'Parquet',
    sides: [
      columns,
      { name: 'hyparquet rows', endsWith: 'row objects', program: 'node', path: 'rows' },
      {
        name: 'pyarrow, one thread',
        endsWith: batches,
        program: 'parquet_reader.py',
        path: 'columns',
      },
    ],
    targets: [{ of: 'columns', to: 'pyarrow, one thread', min: 0.5 }],
  },
  mongodb: {
    title: 'MongoDB wire protocol',
    sides: [
      columns,
      { name: 'mongodb documents', endsWith: 'documents', program: 'node', path: 'rows' },
      { name: 'columns, recorded', endsWith: batches, program: 'node', path: 'recorded columns' },
      { name: 'documents, recorded', endsWith: 'documents', program: 'node', path: 'recorded rows' },
    ],
    targets: [
      { of: 'columns', to: 'mongodb documents', min: 2 },
      { of: 'columns, recorded', to: 'documents, recorded', min: 2 },
    ],
  },
};
