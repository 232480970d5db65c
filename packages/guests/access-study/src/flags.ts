/** The flags that name data of the user for a data-access experiment, as choices for its file. */
import { extname, resolve } from 'node:path';
import { factorPath, TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import type { FlagValues, StudyFlags } from '@topo-bench/study-kit/study-flags';

interface OwnDataFlags {
  table?: string;
  query?: string;
  collection?: string;
  file?: string;
}

const flagNames = ['table', 'query', 'collection', 'file'] as const;

export const accessFlags: StudyFlags = {
  section: 'access',
  example: 'data-access-small',
  examples: [
    ['data-access-small --file sales.parquet', 'what each layer costs on data of your own'],
    ['data-access-small --table shop.sales --postgres-url postgresql://ann:secret@db:5432/shop', ''],
  ],
  flags: [
    {
      flag: '--table <name>',
      description: 'read this table of your PostgreSQL server instead of the generated one',
    },
    { flag: '--query <select>', description: 'read the result of this SELECT on your PostgreSQL server' },
    { flag: '--collection <database.name>', description: 'read this collection of your MongoDB server' },
    {
      flag: '--file <path>',
      description: 'read this Parquet file, or load the rows of this .dat file of dsdgen into each source',
    },
  ],
  choices(set, given: FlagValues) {
    const flags = given as OwnDataFlags;
    const own = ownDataChoices(flags);
    requireNoOther(set, own, flags);
    return own;
  },
};

/** Fields of an experiment that own data decides. */
const decided = ['access.source', 'access.rows', 'access.own'];

/**
 * @param set choices of `--set` by name
 * @param own those of own data
 * @throws TopoBenchError `TB_USAGE` for a field that a flag for own data sets to another value, or leaves out
 */
function requireNoOther(set: NonNullable<Choices['set']>, own: Choices, flags: OwnDataFlags): void {
  const [flag] = ownDataFlags(flags);
  if (flag === undefined) return;
  for (const [name, given] of Object.entries(set)) {
    for (const [path, value] of fieldsOf(factorPath(name), given)) {
      const isWhole = path === 'access';
      const field = isWhole ? path : decided.find((one) => path === one || path.startsWith(`${one}.`));
      if (field === undefined) continue;
      // A .dat file is loaded into every source.
      const source = own.set?.source;
      if (field === 'access.source' && (source === undefined || source === value)) continue;
      const what = field === 'access.source' ? `reads from ${String(source)}` : 'names the data of the run';
      throw new TopoBenchError('TB_USAGE', `${flag} ${what}: got --set ${name}=${textOf(given)} as well`, {
        hint: path.startsWith(`${name}.`) ? `leave ${path} out of --set ${name}` : `leave out --set ${name}`,
      });
    }
  }
}

/** The fields of a whole section, `--set access={…}`, or the one field that is set. A section of text has no fields. */
function fieldsOf(path: string, value: unknown): (readonly [path: string, value: unknown])[] {
  if (path !== 'access' || typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).map(([name, field]) => [`${path}.${name}`, field]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The given flags, as a user writes them: `--table`. */
function ownDataFlags(flags: OwnDataFlags): string[] {
  return flagNames.filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
}

/**
 * Own data has its source, and as many rows as it has: no factor varies these.
 * @throws TopoBenchError `TB_USAGE` for more than one flag
 */
function ownDataChoices(flags: OwnDataFlags): Choices {
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
