/** The report as one self-contained HTML file. Without script, it lacks drawn charts, controls and downloads. */
import { counted } from '@topo-bench/core';
import { calibrationTables } from '../calibration-table.ts';
import { hasFigures } from '../model/cell-group.ts';
import type { ReportModel } from '../model/report-model.ts';
import { predictionTables } from '../prediction-table.ts';
import type { Report } from '../read-report.ts';
import { runnerTables } from '../runner-table.ts';
import { simulatedMachine, simulatedText } from '../simulated-text.ts';
import type { StudyTable } from '../study-table.ts';
import { asJsonMarkup, buildChartData } from './build-chart-data.ts';
import { controls } from './controls.ts';
import { dataTable } from './data-table.ts';
import { htmlDocument } from './document.ts';
import { html } from './safe-html.ts';
import { type Section, section } from './section.ts';
import { provenanceSection, readableTime } from './sections/provenance-section.ts';
import { validitySection } from './sections/validity-section.ts';
import { type PageSimulator, whatIfPart } from './what-if-part.ts';

export type { PageSimulator };

const usualFooter =
  'Made from the run folder alone, by topo-bench. The raw samples are next to this file, in samples/*.parquet.';

/**
 * @param report read with `boxPlots: true`
 * @param script script of the page, built from `browser/`
 * @param simulator for sliders in the report of a run that the model knows; default: no sliders
 */
export function renderPage(report: Report, script: string, simulator?: PageSimulator): string {
  const [first] = report.runs;
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const whatIf = simulator && report.study.whatIf?.();
  const sliders = whatIf && whatIfPart(report, whatIf, simulator);
  const sections = [
    ...report.study.page(),
    ...(sliders ? [sliders.section] : []),
    ...predictionTables(report).map(tableSection),
    ...calibrationTables(report).map(tableSection),
    ...runnerTables(report).map(tableSection),
    validitySection(report),
    provenanceSection(report),
  ];
  return htmlDocument({
    title: `${title}: topo-bench report`,
    eyebrow: 'topo-bench report',
    heading: title,
    meta: first && subtitle(report),
    remarks: remarks(report),
    sections,
    main: [
      report.study.hasControls && hasFigures(report) && controls(report, report.study.times),
      ...sections.map(({ body }) => body),
    ],
    footer: report.study.footer ?? usualFooter,
    script,
    part: sliders?.part,
    data: asJsonMarkup(
      buildChartData(
        report,
        report.study.times,
        report.study.lines?.(),
        report.study.series?.(),
        report.study.drawings?.(),
      ),
    ),
  });
}

function tableSection({ id, title, note, columns, rows, cells }: StudyTable): Section {
  return section(id, title, note, dataTable(title, columns, rows, cells));
}

/** When and where it was measured, and how much. */
export function subtitle({ runs, groups }: ReportModel) {
  const machines = [
    ...new Set(
      runs.map(({ record: { environment, simulation } }) =>
        simulation
          ? `simulated for ${simulatedMachine(simulation)}`
          : `${environment.cpuModel}, ${environment.cores} cores, Node.js ${environment.node}`,
      ),
    ),
  ];
  const repetitions = groups.reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0);
  const started = runs.map(({ record }) => readableTime(record.startedAt)).join(', ');
  return html`${started} · ${counted(groups.length, 'cell')}, ${counted(repetitions, 'repetition')} · ${machines.join(' / ')}`;
}

/** Notes that precede the first figure. */
export function remarks({ runs }: ReportModel) {
  const simulated = simulatedText(runs);
  return [
    simulated !== undefined && html`<p class="warning"><b>${simulated}</b></p>`,
    runs
      .filter(({ record }) => record.status !== 'finished')
      .map(
        ({ record }) =>
          html`<p class="warning"><b>This run is ${record.status}.</b> The figures are those of the repetitions that are finished.${record.failure && html` Reason: ${record.failure}`}</p>`,
      ),
  ];
}
