/** A list of runs as one self-contained page without a script. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { answerBody, sentenceList } from '../html/answer-body.ts';
import { dataTable, folded } from '../html/data-table.ts';
import { htmlDocument } from '../html/document.ts';
import { type Content, html, type Markup } from '../html/safe-html.ts';
import { type Section, section } from '../html/section.ts';
import { readableTime } from '../html/sections/provenance-section.ts';
import { describeLevels, factorsOf } from '../model/factors.ts';
import type { ListedRun, RunList, Series } from './run-list.ts';
import { counted, runListSentences } from './run-list-sentences.ts';
import {
  changeText,
  figureName,
  markTexts,
  readingHints,
  setupSentences,
  spreadText,
  validText,
  versionText,
} from './run-list-texts.ts';
import { sparkSvg } from './spark-svg.ts';

/** @param path of the page: links to the pages of runs are relative to its folder */
export function runListPage(list: RunList, path: string): string {
  const experiments = [...new Set(list.series.map(({ experiment }) => experiment))];
  const sections = [
    section('answer', 'What changed', undefined, answerBody(runListSentences(list)), hints(list)),
    ...experiments.map((experiment, at) => experimentSection(list, experiment, `experiment-${at + 1}`)),
    runsSection(list, dirname(path)),
    ...(list.unreadable.length > 0 ? [unreadableSection(list)] : []),
  ];
  const times = [...new Set([list.runs[0], list.runs.at(-1)].map((run) => run && readableTime(run.startedAt)))];
  return htmlDocument({
    title: 'Runs: topo-bench',
    eyebrow: 'topo-bench runs',
    heading: 'Runs over time',
    meta: list.runs.length === 0 ? undefined : `${counted(list.runs.length, 'run')}, ${times.join(' to ')}`,
    remarks: undefined,
    sections,
    main: sections.map(({ body }) => body),
    footer: 'Made from run folders alone, by topo-bench report.',
  });
}

function hints({ series }: RunList): Content {
  return series.some(({ points }) => points.length > 1) && sentenceList(readingHints);
}

function experimentSection(list: RunList, experiment: string, id: string): Section {
  const series = list.series.filter((one) => one.experiment === experiment);
  const runs = list.runs.filter(({ name }) => name === experiment);
  const answer = runs.findLast((run) => run.answer !== undefined)?.answer;
  return section(
    id,
    experiment,
    answer && html`Latest answer: ${answer}`,
    sentenceList([...setupSentences(runs), ...(runs.at(-1)?.thresholds ?? [])]),
    latestTable(experiment, series),
    folded('All runs of each cell', pointsTable(experiment, series)),
  );
}

function latestTable(experiment: string, series: readonly Series[]): Markup {
  const names = [...new Set(series.map(figureName))].join(' / ');
  const isRepeated = series.some(({ points }) => points.length > 1);
  const rows = series.map((one): Content[] => {
    const last = one.points.at(-1);
    return [
      cellText(one, series),
      one.points.length,
      ...(isRepeated ? [sparkSvg(one)] : []),
      last && spreadText(last.figure, one.unit),
      last?.p95 ? spreadText(last.p95, one.unit) : '–',
      changeContent(last?.change),
    ];
  });
  const columns = [
    { heading: 'cell' },
    { heading: 'runs', number: true },
    ...(isRepeated ? [{ heading: 'over time' }] : []),
    { heading: `latest ${names}`, number: true },
    { heading: 'p95', number: true },
    { heading: 'change', number: true },
  ];
  return dataTable(`${experiment}: figures of the latest run of each cell`, columns, rows);
}

function changeContent(change: Series['points'][number]['change']): Content {
  if (!change) return '–';
  const text = changeText(change);
  return html`<span title="${markTexts[change.mark]}">${change.mark === 'beyond' ? html`<b>${text}</b>` : text}</span>`;
}

function pointsTable(experiment: string, series: readonly Series[]): Markup {
  const rows = series.flatMap((one) =>
    one.points.map(({ run, figure, p95, change }): Content[] => [
      cellText(one, series),
      readableTime(run.startedAt),
      versionText(run),
      run.setup.number,
      spreadText(figure, one.unit),
      p95 ? spreadText(p95, one.unit) : '–',
      changeContent(change),
    ]),
  );
  const columns = [
    { heading: 'cell' },
    { heading: 'started' },
    { heading: 'topo-bench' },
    { heading: 'set-up', number: true },
    { heading: [...new Set(series.map(figureName))].join(' / '), number: true },
    { heading: 'p95', number: true },
    { heading: 'change', number: true },
  ];
  return dataTable(`${experiment}: every run of each cell`, columns, rows);
}

function runsSection({ runs }: RunList, folder: string): Section {
  const rows = runs.toReversed().map((run): Content[] => [
    run.hasPage
      ? html`<a href="${linkTo(run, folder)}">${readableTime(run.startedAt)}</a>`
      : readableTime(run.startedAt),
    run.name,
    versionText(run),
    run.setup.number,
    run.cells,
    validText(run),
    [...run.thresholds, run.answer ?? '–'].join(' '),
    Object.entries(run.flags)
      .map(([flag, count]) => `${flag} (${count})`)
      .join(', ') || '–',
    basename(resolve(run.folder)),
  ]);
  const columns = [
    { heading: 'started' },
    { heading: 'experiment' },
    { heading: 'topo-bench' },
    { heading: 'set-up', number: true },
    { heading: 'cells', number: true },
    { heading: 'valid', number: true },
    { heading: 'answer', text: true },
    { heading: 'flags (repetitions)', text: true },
    { heading: 'folder' },
  ];
  return section(
    'runs',
    'Runs',
    'Newest first. A link opens the page of the run. Runs of one experiment are compared only with runs of the same set-up.',
    dataTable('runs, newest first', columns, rows),
  );
}

function unreadableSection({ unreadable }: RunList): Section {
  const rows = unreadable.map(({ folder, problem }) => [folder, problem]);
  const columns = [{ heading: 'folder' }, { heading: 'problem', text: true }];
  return section('unreadable', 'Not read', undefined, dataTable('folders that cannot be read', columns, rows));
}

function cellText({ factors }: Series, all: readonly Series[]): string {
  const known = factorsOf(all);
  const varying = known.filter(({ levels }) => levels.length > 1);
  return describeLevels(varying.length > 0 ? varying : known, factors) || 'the cell';
}

/** Relative, so that a copied folder of runs keeps its links. */
function linkTo({ folder }: ListedRun, from: string): string {
  const parts = relative(resolve(from), join(resolve(folder), 'report.html')).split(sep);
  return parts.map(encodeURIComponent).join('/');
}
