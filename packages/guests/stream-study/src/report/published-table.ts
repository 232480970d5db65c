/** Published means next to the throughput of this run, for the workloads that it measured. */

import { formatCount, missing, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import { medianIntervalText } from '@topo-bench/study-kit/interval-text';
import { streamJobs } from '../settings-schema.ts';
import { type StudyCell, studyCells } from './findings/study-cells.ts';
import type { PublishedMean } from './published-means.ts';
import type { StreamCell } from './stream-cells.ts';

export interface PublishedRow {
  published: PublishedMean;
  job: string;
  /** Empty where the run has no cell of that store, workload and windowing; several where other factors vary. */
  cells: StreamCell[];
}

/** Published names by protocol. */
const publishedNames: Readonly<Record<string, string>> = { mysql: 'mariadb' };

/** In the order of the file. */
export function publishedRows(published: readonly PublishedMean[], cells: readonly StreamCell[]): PublishedRow[] {
  const known = studyCells(cells);
  const jobs = new Set(known.map(({ job }) => job));
  return published.flatMap((mean) => {
    const job = streamJobs[mean.workload - 1];
    if (job === undefined || !jobs.has(job)) return [];
    const own = known.filter(
      (one) => one.job === job && one.hasWindows === mean.hasWindows && publishedStore(one) === mean.store,
    );
    return [{ published: mean, job, cells: own.map(({ cell }) => cell) }];
  });
}

function publishedStore({ database, hasGrid }: StudyCell): string {
  const name = publishedNames[database] ?? database;
  return hasGrid ? `hazelcast+${name}` : name;
}

const publishedNote =
  'Published: means of three servers with 24 cores each. Here: medians over the valid repetitions, on the database that the run reached under that name. The machines and sizes differ; what carries over is the order of the databases.';

/** Empty without published means of workloads that the run measured. */
export function publishedTable(
  published: readonly PublishedMean[] | undefined,
  cells: readonly StreamCell[],
): StudyTable[] {
  const rows = publishedRows(published ?? [], cells);
  if (rows.length === 0) return [];
  return [
    {
      id: 'published',
      title: 'Next to published means',
      note: publishedNote,
      columns: [
        textColumn('workload'),
        textColumn('store'),
        textColumn('windows'),
        numberColumn('published'),
        textColumn('database here'),
        numberColumn('here'),
        textColumn('95% interval'),
      ],
      rows: rows.flatMap(({ published: mean, job, cells: own }) => {
        const head = [job.replace('-', ' '), mean.store, mean.hasWindows ? 'yes' : 'no', formatCount(mean.perSecond)];
        if (own.length === 0) return [[...head, missing, missing, missing]];
        return own.map((cell) => [
          ...head,
          [cell.name, ...(mean.hasWindows ? [cell.windows] : [])].join(', '),
          formatCount(cell.figures.pointsPerSecond),
          medianIntervalText(cell.rates, formatCount),
        ]);
      }),
      cells: rows.flatMap(({ cells: own }) => (own.length === 0 ? [undefined] : own.map(({ index }) => index))),
    },
  ];
}
