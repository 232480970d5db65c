/** The answer of a report on one page, for a meeting: without charts and script, and to be printed. */
import { counted } from '@topo-bench/core';
import { flagTexts } from '@topo-bench/results';
import type { Report } from '../read-report.ts';
import type { StudyTable } from '../study-table.ts';
import { answerBody, sentenceList } from './answer-body.ts';
import { dataTable } from './data-table.ts';
import { htmlDocument } from './document.ts';
import { remarks, subtitle } from './page.ts';
import { type Content, html } from './safe-html.ts';
import { section } from './section.ts';

/** More sentences do not fit on the page; the report has them all. */
const maxSentences = 5;
const maxRows = 24;

export function renderSummary(report: Report): string {
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const { sentences, table, onTable } = report.study.summary?.() ?? {
    sentences: report.study.answer?.() ?? [],
    table: undefined,
    onTable: [],
  };
  const [headline = 'This run compares nothing; its report has the figures.', ...more] = sentences;
  const result = section('answer', 'Result', undefined, answerBody([headline, ...more.slice(0, maxSentences)]));
  const figures = table && section('figures', table.title, undefined, tableOf(table), sentenceList(onTable));
  const trust = section(
    'trust',
    'How it was measured',
    undefined,
    sentenceList(trustSentences(report)),
    commands(report),
  );
  const sections = [result, ...(figures ? [figures] : []), trust];
  return htmlDocument({
    title: `${title}: topo-bench summary`,
    eyebrow: 'topo-bench summary',
    heading: title,
    meta: subtitle(report),
    remarks: remarks(report),
    sections: [],
    main: sections.map(({ body }) => body),
    footer: 'Made from the run folder alone, by topo-bench. report.html next to it has all figures and their spread.',
  });
}

function tableOf({ title, note, columns, rows }: StudyTable): Content {
  const left = rows.length - maxRows;
  return [
    dataTable(title, columns, rows.slice(0, maxRows)),
    html`<p class="note">${note}${left > 0 && ` ${counted(left, 'more row')} in the report.`}</p>`,
  ];
}

function trustSentences({ groups }: Report): string[] {
  const valid = groups.flatMap((group) => group.valid);
  const invalid = groups.flatMap((group) => group.invalid);
  const wrong = [...valid, ...invalid].reduce((sum, { decisions }) => sum + decisions.wrong, 0);
  const [reason] = invalid.flatMap(({ validity }) => validity.reasons);
  const flags = flagTexts(valid);
  const all = valid.length + invalid.length;
  return [
    `${valid.length} of ${counted(all, 'repetition')} are valid${reason === undefined ? '' : `; the first reason against one: ${reason}`}.`,
    ...(flags.length > 0 ? [`Remarks on valid repetitions: ${flags.join(', ')}.`] : []),
    ...(wrong > 0 ? [`${counted(wrong, 'decision was', 'decisions were')} wrong, as checked by the oracle.`] : []),
    'The repetition is the sample: requests of one repetition are not counted as independent.',
  ];
}

function commands({ runs }: Report): Content {
  return runs.map(({ record }) => html`<pre class="command">topo-bench ${record.command.join(' ')}</pre>`);
}
