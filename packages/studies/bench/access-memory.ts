/**
 * Peak memory of each role of a read, above its idle memory: the client, a source connector, a Flight server. It should
 * not grow with the rows. All variants without containers take turns; each read has processes of its own, which are
 * idle when the read begins. Needs `npm run build`: programs are those of the built folder.
 *
 * Usage: npm run bench:access-memory [-- [--store postgresql|mongodb|parquet [--url URL]] [--variant NAME,…]
 * [--rows N,…] [--rounds N] [--built FOLDER,…]]
 *
 * On a user-supplied server, the tables `store_sales_N` stay for the next run: in MongoDB, of the database `access`.
 *
 * With several built folders their programs take turns too: the speeds of two versions are comparable. The code of the
 * client is that of this working copy.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AccessVariant, accessVariants } from '@topo-bench/core/schema/access';
import { loadTable, type SourceKind, type SourceTable, storeSalesData } from '@topo-bench/sources';
import { median } from '@topo-bench/stats';
import { inStores, storeFlags } from '../../sources/test/fixtures/bench-stores.ts';
import { ClientProcess } from '../src/access/client/client-process.ts';
import type { ClientJob } from '../src/access/client/messages.ts';
import { variantParts } from '../src/access/variants.ts';
import { settledRoles } from './process-roles.ts';

const { values: flags } = parseArgs({
  options: {
    ...storeFlags,
    variant: { type: 'string' },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    built: { type: 'string', default: join(import.meta.dirname, '../../cli/dist') },
  },
});

/** MB above idle, for every role. */
const maxMegabytes = 200;
const rowsOf: Readonly<Record<SourceKind, number[]>> = {
  postgresql: [1e6, 4e6],
  parquet: [1e6, 4e6],
  // The embedded server of the MongoDB protocol is slow.
  mongodb: [5e4, 2e5],
};
const builds = flags.built.split(',');
const variants = flags.variant
  ? (flags.variant.split(',') as AccessVariant[])
  : accessVariants.filter((variant) => (variantParts[variant].place ?? 'process') === 'process');

interface Read {
  rowsPerSecond: number;
  /** By role, in MB. */
  idle: Record<string, number>;
  peak: Record<string, number>;
}

async function read(table: SourceTable, variant: AccessVariant, builtFolder: string, rows: number): Promise<Read> {
  const { place } = variantParts[variant];
  const options = { query: 'all', batchRows: 100_000, connections: 1, cachedDiscovery: false } as const;
  const job: ClientJob = {
    table,
    // Programs wait until the read: what they then have in memory is their idle memory.
    settings: { variant, ...options, compression: 'none', warm: place !== undefined },
    ...(place && { launch: { place, builtFolder: resolve(builtFolder) } }),
  };
  const client = new ClientProcess();
  try {
    const idleRssBytes = await client.prepare(job);
    const programs = await settledRoles(process.pid);
    const outcome = await client.read();
    if (outcome.rows !== rows) throw new Error(`${variant}: got ${outcome.rows} rows, expected ${rows}`);
    const peaks = Object.entries(outcome.roles).map(([role, { peakRssBytes = Number.NaN }]) => [
      role,
      peakRssBytes / 1e6,
    ]);
    return {
      rowsPerSecond: (rows * 1e6) / outcome.durationUs,
      idle: { client: idleRssBytes / 1e6, ...programs },
      peak: Object.fromEntries(peaks) as Record<string, number>,
    };
  } finally {
    await client.stop();
  }
}

interface Line {
  rows: number;
  variant: AccessVariant;
  built: string;
  reads: Read[];
}

async function measure(kind: SourceKind, tables: readonly { rows: number; table: SourceTable }[]): Promise<void> {
  const sides = tables.flatMap(({ rows, table }) =>
    variants.flatMap((variant) => builds.map((built) => ({ rows, table, variant, built, reads: [] as Read[] }))),
  );
  for (let round = 0; round < Number(flags.rounds); round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      side.reads.push(await read(side.table, side.variant, side.built, side.rows));
    }
  }
  print(kind, sides);
}

function print(kind: SourceKind, lines: readonly Line[]): void {
  console.log(`\n${kind}, ${flags.rounds} rounds\n`);
  console.log('| variant | rows | role | idle (MB) | peak (MB) | above idle (MB) | 1000 rows/s |');
  console.log('|---|---:|---|---:|---:|---:|---:|');
  for (const { variant, rows, built, reads } of lines) {
    const speed = (median(reads.map(({ rowsPerSecond }) => rowsPerSecond)) / 1e3).toFixed(0);
    const name = builds.length === 1 ? variant : `${variant} of ${built}`;
    for (const role of Object.keys(reads[0]?.peak ?? {})) {
      const of = (figures: (read: Read) => Record<string, number>): number =>
        Math.max(...reads.map((one) => figures(one)[role] ?? Number.NaN));
      const idle = Math.min(...reads.map((one) => one.idle[role] ?? Number.NaN));
      const peak = of((one) => one.peak);
      const above = Math.max(...reads.map((one) => (one.peak[role] ?? Number.NaN) - (one.idle[role] ?? Number.NaN)));
      const verdict = above > maxMegabytes ? ' (over)' : '';
      const figures = [idle.toFixed(0), peak.toFixed(0), `${above.toFixed(0)}${verdict}`, speed];
      console.log(`| ${name} | ${rows} | ${role} | ${figures.join(' | ')} |`);
    }
  }
}

console.log(
  `Node.js ${process.version}. Largest figures of all rounds; speeds are medians. Target: ${maxMegabytes} MB.`,
);
await inStores(flags, async (kind, tableOf) => {
  const tables: { rows: number; table: SourceTable }[] = [];
  for (const rows of flags.rows?.split(',').map(Number) ?? rowsOf[kind]) {
    const table = tableOf(`store_sales_${rows}`);
    await loadTable(table, storeSalesData({ rows, seed: 1 }));
    tables.push({ rows, table });
  }
  await measure(kind, tables);
});
