/**
 * Findings of the published stream-store study, each tested with the data of a run. A claim is a comparison "these
 * cells exceed those"; each repetition yields the mean logarithm of the ratios of their figures.
 */
import { type Claim, type FindingVerdict, verdictOf } from '@topo-bench/study-kit/published-claims';
import type { StreamCell } from '../stream-cells.ts';
import {
  everyFasterJob,
  exceedsOthers,
  fasterJob,
  gridFallsWithWindows,
  gridGainIsLargest,
  gridHelpsReadsOfOne,
  gridRaisesWrites,
  lowestCpu,
  maxWritten,
  windowsAreBursty,
  windowsLower,
} from './claims.ts';
import { type StudyCell, studyCells } from './study-cells.ts';

export interface Finding {
  /** In the list of the study. */
  number: number;
  statement: string;
  verdict: FindingVerdict;
  claims: Claim[];
}

export interface JudgedFindings {
  findings: Finding[];
  /** Findings that the run has no data for, with what each needs: `2 (grid: hazelcast)`. */
  withoutData: string[];
}

interface Rule {
  number: number;
  statement: string;
  /** Data that the rule needs. */
  needs: string;
  claims(cells: readonly StudyCell[]): Claim[];
}

const writes = ['generate', 'copy'];
const [realistic, random] = ['realistic-queries', 'random-queries'] as const;
const windowLevels = 'windows: [none, 1s]';
const gridLevels = 'grid: [none, hazelcast]';
const readingJobs = 'jobs that read, on the databases that it names';

const rules: readonly Rule[] = [
  { number: 1, statement: 'Windows make accesses bursty.', needs: windowLevels, claims: windowsAreBursty },
  { number: 1, statement: 'Windows mostly lower throughput.', needs: windowLevels, claims: windowsLower },
  {
    number: 2,
    statement: 'Without windows, a write-behind grid raises the write throughput of every database.',
    needs: gridLevels,
    claims: gridRaisesWrites,
  },
  {
    number: 2,
    statement: 'The grid raises that of MariaDB most.',
    needs: gridLevels,
    claims: (cells) => gridGainIsLargest(cells, 'mysql'),
  },
  {
    number: 2,
    statement: 'With windows, the grid slows generation into MongoDB and copies into PostgreSQL.',
    needs: gridLevels,
    claims: gridFallsWithWindows,
  },
  {
    number: 3,
    statement: 'For reads, the grid helps MongoDB alone; the others fall.',
    needs: `${gridLevels}, jobs that read`,
    claims: gridHelpsReadsOfOne,
  },
  {
    number: 4,
    statement: 'Redis is first on writes.',
    needs: 'writes to redis and others',
    claims: (cells) => exceedsOthers(cells, writes, 'redis'),
  },
  {
    number: 4,
    statement: 'Redis is not first on realistic queries: MariaDB is.',
    needs: readingJobs,
    claims: (cells) => exceedsOthers(cells, [realistic], 'mysql'),
  },
  {
    number: 4,
    statement: 'PostgreSQL is next on realistic queries.',
    needs: readingJobs,
    claims: (cells) => exceedsOthers(cells, [realistic], 'postgresql', ['mysql']),
  },
  {
    number: 4,
    statement: 'PostgreSQL is first on random queries.',
    needs: readingJobs,
    claims: (cells) => exceedsOthers(cells, [random], 'postgresql'),
  },
  {
    number: 4,
    statement: 'Redis is next on random queries.',
    needs: readingJobs,
    claims: (cells) => exceedsOthers(cells, [random], 'redis', ['postgresql']),
  },
  {
    number: 4,
    statement: 'Random queries are faster than realistic ones on PostgreSQL, and slower on MariaDB.',
    needs: readingJobs,
    claims: (cells) => [
      ...fasterJob(cells, 'postgresql', random, realistic),
      ...fasterJob(cells, 'mysql', realistic, random),
    ],
  },
  {
    number: 5,
    statement: 'Copying is faster than generating on every database.',
    needs: 'job: [generate, copy]',
    claims: (cells) => everyFasterJob(cells, 'copy', 'generate'),
  },
  {
    number: 6,
    statement: 'On writes, MariaDB uses little CPU.',
    needs: 'mysql and others, started by topo-bench',
    claims: (cells) => lowestCpu(cells, 'mysql'),
  },
  {
    number: 6,
    statement: 'On writes, HBase uses the disk most.',
    needs: 'hbase and others, started by topo-bench',
    claims: (cells) => maxWritten(cells, 'hbase'),
  },
];

/** Parts of findings that no run has data for. */
const neverMeasured = ['6 (traffic of replication)', '7 (advice)'];

export function judgeFindings(cells: readonly StreamCell[]): JudgedFindings {
  const known = studyCells(cells);
  const tested = rules.map((rule) => ({ rule, claims: rule.claims(known) }));
  const missing = tested.filter(({ claims }) => claims.length === 0);
  return {
    findings: tested
      .filter(({ claims }) => claims.length > 0)
      .map(({ rule: { number, statement }, claims }) => ({
        number,
        statement,
        verdict: verdictOf(claims),
        claims,
      })),
    withoutData: [...new Set(missing.map(({ rule: { number, needs } }) => `${number} (${needs})`)), ...neverMeasured],
  };
}
