/** The persistence study as tables of texts, the same in the terminal, in Markdown and on the page. */
import type { CellComparison } from '@topo-bench/comparison';
import {
  formatFigure,
  formatRatio,
  formatRatioInterval,
  formatShort,
  missing,
  numberColumn as number,
  type StudyTable,
  sentenceColumn as sentence,
  textColumn as text,
} from '@topo-bench/report';
import type { CellGroup, ReportModel } from '@topo-bench/report/model';
import { largestShare, throttledText } from '@topo-bench/results';
import { storeAnswer } from './answer.ts';
import { ratioInterval, ratioOf } from './answer-sentences.ts';
import { compositeMethod, compositeScores } from './composite.ts';
import { isTested, judgeHypotheses } from './hypotheses.ts';
import type { PublishedAverage } from './published-averages.ts';
import { averageOver, cellsOf, levelsOf, medianAt, type StudyCell, studyCells, studyMetrics } from './study-cells.ts';

/** @param published averages to show next to the measured ones */
export function studyTables(report: ReportModel, published?: readonly PublishedAverage[]): StudyTable[] {
  const cells = studyCells(report);
  return [
    ...comparisonTable(report),
    averagesTable(report, cells, published),
    compositeTable(report, cells),
    ...hypothesesTables(cells),
    loadTable(report, cells),
  ];
}

/** Every store against the first one; none with fewer than two stores. */
function comparisonTable(report: ReportModel): StudyTable[] {
  const answer = storeAnswer(report);
  if (!answer || answer.settings.length === 0) return [];
  const ratio = (cell: CellComparison | undefined): string => {
    if (!cell) return missing;
    const interval = Number.isFinite(cell.intervalPercent[1]) ? ` ${formatRatioInterval(ratioInterval(cell))}` : '';
    return `${formatRatio(ratioOf(cell))}${interval}`;
  };
  const rows = answer.settings.flatMap(({ name, findings }) =>
    findings.map(({ store, p95, throughput }) => [
      name,
      store,
      formatFigure((p95?.candidate ?? Number.NaN) / 1e3),
      ratio(p95),
      p95?.verdict ?? missing,
      formatFigure(throughput?.candidate ?? Number.NaN),
      ratio(throughput),
      throughput?.verdict ?? missing,
    ]),
  );
  return [
    {
      id: 'comparison',
      title: `Every store compared with ${answer.reference}`,
      note: `Ratio to ${answer.reference} in the same setting (Hodges–Lehmann) with its 95% interval, by exact rank tests over the repetitions, corrected within each metric (max-T where rounds are paired, else Holm).`,
      columns: [
        text('setting'),
        text('store'),
        number('p95 (ms)'),
        number('p95 ratio'),
        text('p95 verdict'),
        number('successes/s'),
        number('ratio'),
        text('verdict'),
      ],
      rows,
    },
  ];
}

function averagesTable(
  report: ReportModel,
  cells: readonly StudyCell[],
  published?: readonly PublishedAverage[],
): StudyTable {
  const columns = [text('store'), text('workload')];
  for (const { short } of studyMetrics) columns.push(number(short), ...(published ? [number('published')] : []));
  const rows = conditions(cells).map(({ store, workload }) => [
    store,
    workload,
    ...studyMetrics.flatMap(({ key, published: column }) => {
      const figure = formatFigure(averageOver(cells, store, workload, key));
      const other = published?.find((row) => row.configuration === store && row.workload === workload)?.figures[column];
      return published ? [figure, formatFigure(other ?? Number.NaN)] : [figure];
    }),
  ]);
  return {
    id: 'averages',
    title: 'Averages over the levels of load',
    note: `Mean over the levels of load (${levelsOf(cells, 'load').join(', ')}) of the median over repetitions; – where a level has no valid repetition. CPU and RAM are those of the store and the service together; memory that processes share counts once.`,
    columns,
    rows,
    cells: conditions(cells).map(({ store, workload }) => cellsOf(report, store, workload)),
  };
}

function compositeTable(report: ReportModel, cells: readonly StudyCell[]): StudyTable {
  const workloads = levelsOf(cells, 'workload');
  const scores = compositeScores(cells);
  const rows = levelsOf(cells, 'store').map((store) => {
    const own = workloads.map(
      (workload) => scores.find((one) => one.store === store && one.workload === workload)?.score ?? Number.NaN,
    );
    return [store, ...[...own, own.reduce((sum, score) => sum + score, 0) / own.length].map(formatShort)];
  });
  const columns = [text('store'), ...[...workloads, 'all'].map(number)];
  return {
    id: 'composite',
    title: 'Composite score',
    note: compositeMethod,
    columns,
    rows,
    cells: levelsOf(cells, 'store').map((store) => cellsOf(report, store)),
  };
}

/** The verdicts and their claims; none if no claim has data. */
function hypothesesTables(cells: readonly StudyCell[]): StudyTable[] {
  const hypotheses = judgeHypotheses(cells);
  const tested = hypotheses.filter(isTested);
  const verdicts = {
    id: 'hypotheses',
    title: 'Hypotheses',
    note: 'Supported when all claims of a hypothesis have p < 0.05; not supported when the reverse of one is shown (Bonferroni); else undecided.',
    columns: [text('id'), text('verdict'), text('study'), sentence('hypothesis'), sentence('why')],
    rows: tested.map(({ id, verdict, published, statement, reason }) => [id, verdict, published, statement, reason]),
  };
  const claims = {
    id: 'claims',
    title: 'Claims of the hypotheses',
    note: 'Each claim: exact one-sided signed-rank test over the repetitions (p), effect size as rank-biserial correlation (r): 1 when every repetition speaks for it.',
    columns: [text('of'), sentence('claim'), text('size'), number('r'), number('p')],
    rows: tested.flatMap(({ id, claims }) =>
      claims
        .filter(({ effects }) => effects.length > 0)
        .map(({ text: claim, size, effectSize, pValue }) => [
          id,
          claim,
          size,
          formatShort(effectSize),
          pValue.toPrecision(2),
        ]),
    ),
  };
  return [...(tested.length > 0 ? [verdicts] : []), ...(claims.rows.length > 0 ? [claims] : [])];
}

function loadTable({ groups }: ReportModel, cells: readonly StudyCell[]): StudyTable {
  const isOwn = ({ factors }: CellGroup): boolean => factors.store !== undefined;
  const measured = groups.filter(isOwn);
  const rows = measured.map((group) => {
    const { store, workload, connections, rate } = group.factors;
    const condition = { store: String(store), workload: String(workload), load: Number(connections ?? rate) };
    const at = (metric: Parameters<typeof medianAt>[2]): string => formatFigure(medianAt(cells, condition, metric));
    return [
      condition.store,
      condition.workload,
      String(condition.load),
      at('p50Ms'),
      at('p95Ms'),
      at('p99Ms'),
      at('throughputRps'),
      at('cpuPercent'),
      at('ramMb'),
      at('errors'),
      `${group.valid.length}/${group.planned}`,
      remarks(group),
    ];
  });
  const headings = ['p50 (ms)', 'p95 (ms)', 'p99 (ms)', 'successes/s', 'CPU %', 'RAM MB', 'errors', 'valid'];
  return {
    id: 'by-load',
    title: 'By level of load',
    note: 'Median over the valid repetitions. Figures of a saturated host are those of this machine at its limit.',
    columns: [text('store'), text('workload'), number('load'), ...headings.map(number), sentence('remarks')],
    rows,
    cells: groups.flatMap((group, at) => (isOwn(group) ? [at] : [])),
  };
}

/** Remarks on a condition: flags of its valid repetitions, and reasons of the invalid ones. */
function remarks({ figures, valid, invalid, planned }: CellGroup): string {
  const flags = Object.entries(figures?.flags ?? {}).map(([flag, count]) =>
    [flagText(flag, valid), ...(count < valid.length ? [`in ${count}`] : [])].join(' '),
  );
  const reasons = [...new Set(invalid.flatMap(({ validity }) => validity.reasons))].map(
    (reason) => `invalid: ${reason}`,
  );
  const open = planned - valid.length - invalid.length;
  return [...flags, ...reasons, ...(open > 0 ? [`${open} not measured`] : [])].join('; ');
}

function flagText(flag: string, cells: CellGroup['valid']): string {
  if (flag === 'cpu-throttled') return `${flag}${throttledText(cells)}`;
  const share = largestShare(flag, cells);
  return share === undefined ? flag : `${flag} (up to ${share} of the processors)`;
}

function conditions(cells: readonly StudyCell[]): { store: string; workload: string }[] {
  return levelsOf(cells, 'store').flatMap((store) =>
    levelsOf(cells, 'workload').map((workload) => ({ store, workload })),
  );
}
