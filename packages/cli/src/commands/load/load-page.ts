/** The page of a load: its figures, and its charts of single requests, as one HTML file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatUs } from '@topo-bench/core';
import { type RunRecord, resultSchemaVersion } from '@topo-bench/core/schema/result';
import { readHostEnvironment } from '@topo-bench/host';
import type { LoadUrlResult } from '@topo-bench/loadgen/load-url/load-url';
import { formatMs, infiniteText, readReport, renderPage, type StudyReport } from '@topo-bench/report';
import { answerBody, dataTable, drawnFigure, type Section, section } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { createRun, writeFileAtomically } from '@topo-bench/results';
import { pageScript } from '../../built-files.ts';
import { note } from '../../output.ts';
import { version } from '../../version.ts';
import type { LoadFlags } from './options.ts';
import { pageError } from './page-file.ts';
import type { LoadThreshold } from './thresholds.ts';

export interface LoadPage {
  url: string;
  /** Flags that make the same schedule; without headers and body, which can hold secrets. */
  flags: Pick<LoadFlags, 'rate' | 'duration' | 'arrivals' | 'driver' | 'connections' | 'seed' | 'findMax'>;
  result: LoadUrlResult;
  thresholds: readonly LoadThreshold[];
}

/**
 * Writes the page through a run folder that exists only for it: the report reads nothing else.
 * @throws TopoBenchError `TB_FILE_NOT_WRITABLE`
 */
export async function writeLoadPage(path: string, page: LoadPage): Promise<void> {
  try {
    await write(path, page);
  } catch (cause) {
    throw pageError(path, cause);
  }
}

async function write(path: string, page: LoadPage): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-load-'));
  try {
    const run = join(folder, 'run');
    const writer = await createRun(run, recordOf(page));
    await writer.storeRepetition(page.result.cell, page.result.samples);
    await writer.finish('finished');
    const report = await readReport([run], async () => studyOf(page), { boxPlots: true });
    await writeFileAtomically(path, renderPage(report, await pageScript()));
    note(`report:     ${path}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function recordOf({ url, flags, result: { cell } }: LoadPage): RunRecord {
  return {
    schemaVersion: resultSchemaVersion,
    name: `load on ${withoutCredentials(url)}`,
    status: 'running',
    startedAt: cell.startedAt ?? new Date().toISOString(),
    command: ['load', withoutCredentials(url), ...scheduleFlags(flags, cell.offeredRps)],
    experiment: {},
    topology: null,
    seed: flags.seed,
    environment: { topoBench: version(), ...readHostEnvironment() },
    plannedCells: [cell.factors],
    repetitions: 1,
  };
}

/** The rate of a search is the one that it found. */
function scheduleFlags(
  { rate, duration, arrivals, driver, connections, seed, findMax }: LoadPage['flags'],
  offeredRps: number,
): string[] {
  const seconds = ['--duration', `${duration / 1e6}s`];
  if (driver !== 'open') return ['--driver', driver, '--connections', String(connections), ...seconds];
  const isRamp = findMax === undefined && rate?.toRps !== undefined;
  const offered = isRamp ? [rate.fromRps, rate.toRps] : [offeredRps];
  return [
    '--rate',
    offered.join('..'),
    ...seconds,
    '--arrivals',
    arrivals,
    ...(arrivals === 'poisson' ? ['--seed', String(seed)] : []),
  ];
}

/** Without user, password and query, which can hold secrets. */
function withoutCredentials(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}

function studyOf(page: LoadPage): StudyReport {
  return {
    views: async (model) => ({
      hasControls: true,
      times: ['responseTime', 'rtt'],
      footer: 'Made by topo-bench load. The requests one by one are not stored.',
      page: () => sections(page, model),
      terminal: () => [],
      markdown: () => [],
    }),
  };
}

function sections({ result, thresholds }: LoadPage, model: ReportModel): Section[] {
  const { cell, statuses, ramp } = result;
  const { responseTime, outcomes, offeredRps, achievedRps, validity } = cell;
  const answered = outcomes.completed + outcomes.refused;
  const headline = `${answered} of ${answered + outcomes.error + outcomes.unfinished} requests were answered; ${rate(achievedRps)} were sent of ${rate(offeredRps)} offered: median ${formatUs(responseTime.medianUs)}, p95 ${formatUs(responseTime.p95Us)}.`;
  const checked = thresholds.map(({ text, value, passed, reason }) =>
    passed === null
      ? `Whether the threshold ${text} is met cannot be told: ${reason}.`
      : `The threshold ${text} ${passed ? 'is met' : 'is not met'}: measured ${value}.`,
  );
  const notValid = validity.valid
    ? []
    : [`The load is not valid, so its single requests are not drawn: ${validity.reasons.join('; ')}.`];
  const infinite = infiniteText(model.drainUs);
  return [
    section(
      'answer',
      'Result',
      undefined,
      answerBody([headline, ...notValid, ...checked]),
      figuresTable(result, infinite),
    ),
    ...(ramp ? [rampSection(ramp, infinite)] : []),
    ...(validity.valid ? chartSections() : []),
    section(
      'statuses',
      'Answers',
      undefined,
      dataTable(
        'answers by status, and errors by kind',
        [{ heading: 'answer' }, { heading: 'requests', number: true }],
        [
          ...Object.entries(statuses).map(([status, count]) => [`status ${status}`, String(count)]),
          ...Object.entries(cell.errors).flatMap(([kind, count]) =>
            kind.startsWith('http-') ? [] : [[kind, String(count)]],
          ),
          ...(cell.unfinished > 0 ? [['unfinished', String(cell.unfinished)]] : []),
        ],
      ),
    ),
  ];
}

function chartSections(): Section[] {
  return [
    section(
      'distribution',
      'Distribution of times',
      'All requests that were answered without an error. Response times begin when a request was due, so they include the wait for a stalled server.',
      drawnFigure({
        title: 'Latency by percentile',
        name: 'percentiles',
        lead: 'The axis is log(1 − q): every step to the right leaves a tenth of the requests. The last point is the slowest request.',
      }),
      drawnFigure({
        title: 'Cumulative distribution (ECDF)',
        name: 'ecdf',
        lead: 'Share of requests that took at most so long.',
      }),
    ),
    section(
      'over-time',
      'Times over the load',
      undefined,
      drawnFigure({
        title: 'Times over the load',
        name: 'over-time',
        lead: 'Requests by the time they were due, in short windows. Line: median; dots: the slowest request.',
      }),
    ),
  ];
}

function figuresTable({ cell: { responseTime, rtt, schedulerLag } }: LoadUrlResult, infinite: string) {
  const keys = ['medianUs', 'p95Us', 'p99Us', 'p999Us', 'maxUs'] as const;
  const rows = Object.entries({ 'response time': responseTime, 'round trip': rtt, 'scheduler lag': schedulerLag })
    .filter(([, { count }]) => count > 0)
    .map(([name, summary]) => [name, ...keys.map((key) => formatMs(summary[key], infinite))]);
  return dataTable(
    'times in milliseconds',
    [{ heading: 'ms' }, ...['median', 'p95', 'p99', 'p99.9', 'max'].map((heading) => ({ heading, number: true }))],
    rows,
  );
}

function rampSection(ramp: NonNullable<LoadUrlResult['ramp']>, infinite: string): Section {
  return section(
    'ramp',
    'Response time over the rate',
    'Each row is a tenth of the load; the rate is that in its middle.',
    dataTable(
      'response times in milliseconds by rate',
      ['req/s', 'median ms', 'p95 ms', 'failed', 'requests'].map((heading) => ({ heading, number: true })),
      ramp.map(({ rateRps, requests, failed, medianUs, p95Us }) => [
        String(Math.round(rateRps)),
        formatMs(medianUs, infinite),
        formatMs(p95Us, infinite),
        String(failed),
        String(requests),
      ]),
    ),
  );
}

function rate(rps: number): string {
  return `${Number(rps.toPrecision(4))} req/s`;
}
