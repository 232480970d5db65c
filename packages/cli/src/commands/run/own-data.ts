/** The flags that name data of the user for a data-access experiment, as choices for its file. */
import { extname, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { Option } from 'commander';

export interface OwnDataFlags {
  table?: string;
  query?: string;
  collection?: string;
  file?: string;
}

const flagNames = ['table', 'query', 'collection', 'file'] as const;

export function ownDataOptions(): Option[] {
  return [
    new Option('--table <name>', 'read this table of your PostgreSQL server instead of the generated one'),
    new Option('--query <select>', 'read the result of this SELECT on your PostgreSQL server'),
    new Option('--collection <database.name>', 'read this collection of your MongoDB server'),
    new Option(
      '--file <path>',
      'read this Parquet file, or load the rows of this .dat file of dsdgen into each source',
    ),
  ];
}

/** The given flags, as a user writes them: `--table`. */
export function ownDataFlags(flags: OwnDataFlags): string[] {
  return flagNames.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

/**
 * Own data has its source, and as many rows as it has: no factor varies these.
 * @throws TopoBenchError `TB_USAGE` for more than one flag
 */
export function ownDataChoices(flags: OwnDataFlags): Choices {
  const given = ownDataFlags(flags);
  if (given.length > 1) {
    throw new TopoBenchError('TB_USAGE', `a run reads one table: got ${given.join(' and ')}, expected one of them`, {
      hint: 'start a run for each',
    });
  }
  const { table, query, collection, file } = flags;
  const without = ['volume'];
  if (table !== undefined) return { set: { source: 'postgresql', 'access.own': { table } }, without };
  if (query !== undefined) return { set: { source: 'postgresql', 'access.own': { query } }, without };
  if (collection !== undefined) return { set: { source: 'mongodb', 'access.own': { collection } }, without };
  if (file === undefined) return {};
  // A resumed run may have another working directory.
  const path = resolve(file);
  if (extname(file).toLowerCase() === '.dat') return { set: { 'access.own': { dat: path } }, without };
  return { set: { source: 'parquet', 'access.own': { file: path } }, without };
}
