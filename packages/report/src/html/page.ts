/**
 * The report as one self-contained HTML file: no fonts, no image files, no requests. The content security policy allows
 * the inline style sheet and script by hash, and `data:` images. Without script, the page lacks drawn charts, controls
 * and downloads.
 */
import { createHash } from 'node:crypto';
import { hasFigures } from '../model/cell-group.ts';
import type { ReportModel } from '../model/report-model.ts';
import type { Report } from '../read-report.ts';
import { asJsonMarkup, buildChartData } from './build-chart-data.ts';
import { controls } from './controls.ts';
import { html, Markup } from './safe-html.ts';
import { provenanceSection, readableTime } from './sections/provenance-section.ts';
import { validitySection } from './sections/validity-section.ts';
import { style } from './style.ts';

/**
 * @param report read with `boxPlots: true`
 * @param script script of the page, built from `browser/`
 */
export function renderPage(report: Report, script: string): string {
  const [first] = report.runs;
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const sections = [...report.study.page(), validitySection(report), provenanceSection(report)];
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policyFor(script)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}: topo-bench report</title><style>${new Markup(style)}</style></head>
<body><header><p class="eyebrow">topo-bench report</p><h1>${title}</h1><p class="meta">${first && subtitle(report)}</p>${remarks(report)}
<nav aria-label="Sections"><ul>${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ul></nav></header>
<main>${report.study.hasControls && hasFigures(report) && controls(report)}${sections.map(({ body }) => body)}</main>
<footer><p>Made from the run folder alone, by topo-bench. The raw samples are next to this file, in samples/*.parquet.</p></footer>
<script type="application/json" id="chart-data">${asJsonMarkup(buildChartData(report))}</script><script>${new Markup(script)}</script></body></html>
`;
  return page.text;
}

/** Allows `data:` images, because the script renders its own drawings for the PNG download. */
function policyFor(script: string): string {
  return [
    "default-src 'none'",
    `style-src '${sha256(style)}'`,
    `script-src '${sha256(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function subtitle({ runs, groups }: ReportModel) {
  const machines = [
    ...new Set(
      runs.map(
        ({ record: { environment } }) =>
          `${environment.cpuModel}, ${environment.cores} cores, Node.js ${environment.node}`,
      ),
    ),
  ];
  const repetitions = groups.reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0);
  const started = runs.map(({ record }) => readableTime(record.startedAt)).join(', ');
  return html`${started} · ${groups.length} ${groups.length === 1 ? 'cell' : 'cells'}, ${repetitions} repetitions · ${machines.join(' / ')}`;
}

/** Notes that precede the first figure. */
function remarks({ runs, groups }: ReportModel) {
  const simulated = groups.some(({ valid, invalid }) =>
    [...valid, ...invalid].some(({ source }) => source === 'simulated'),
  );
  return [
    simulated &&
      html`<p class="warning"><b>Simulated.</b> Figures marked so were computed by a model, not measured.</p>`,
    runs
      .filter(({ record }) => record.status !== 'finished')
      .map(
        ({ record }) =>
          html`<p class="warning"><b>This run is ${record.status}.</b> The figures are those of the repetitions that are finished.${record.failure && html` Reason: ${record.failure}`}</p>`,
      ),
  ];
}
