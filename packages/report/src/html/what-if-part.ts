/**
 * The sliders of a page: predictions at other rates and sizes, next to the measured boxes. A web worker of the page
 * simulates them, by a calibration of the machine that measured.
 */
import { cellKey, counted } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { heldOutText } from '../calibration-table.ts';
import { infiniteText } from '../figure-text.ts';
import type { BoxPlot } from '../model/box-plot.ts';
import type { ReportModel } from '../model/report-model.ts';
import { simulatedMark } from '../simulated-mark.ts';
import type { WhatIfOfRun } from '../study-report.ts';
import type { WhatIfData } from '../what-if.ts';
import { asJsonMarkup } from './build-chart-data.ts';
import { chartFigure } from './chart-figure.ts';
import type { ScriptPart } from './document.ts';
import { html, Markup } from './safe-html.ts';
import { type Section, section } from './section.ts';
import { whatIfStyle } from './what-if-style.ts';

/** A simulator for pages. */
export interface PageSimulator {
  calibration: Calibration;
  /** Script of the sliders. */
  script: string;
  /** The worker: deflated, in base64, followed by a line break and its licences. */
  worker: string;
}

/** @returns undefined without a measured box */
export function whatIfPart(
  report: ReportModel,
  whatIf: WhatIfOfRun,
  { calibration, script, worker }: PageSimulator,
): { section: Section; part: ScriptPart } | undefined {
  const settings = whatIf.settings
    .map(({ cells, ...setting }) => ({
      ...setting,
      cells: cells.flatMap(({ levels, ...cell }) => {
        const box = report.boxPlots.rtt.get(cellKey(levels));
        return box ? [{ ...cell, box: embedded(box) }] : [];
      }),
    }))
    .filter(({ cells }) => cells.length > 0);
  if (settings.length === 0) return undefined;
  const { demand } = calibration;
  const data: WhatIfData = { ...whatIf, settings, demand, infinite: infiniteText(report.drainUs) };
  return {
    section: sectionOf(calibration, report),
    part: {
      ...{ style: whatIfStyle, script },
      texts: html`<script type="application/json" id="what-if-data">${asJsonMarkup(data)}</script><script type="text/plain" id="simulator">${new Markup(worker)}</script>`,
    },
  };
}

function sectionOf(calibration: Calibration, { runs: [run] }: ReportModel): Section {
  const { name, machine, cores, assumed, fit } = calibration;
  const own = run?.record.environment;
  const isForeign = fit && (fit.cpuModel !== own?.cpuModel || majorOf(fit.node) !== majorOf(own.node));
  const error = fit ? heldOutText(fit.heldOutErrors) : 'Its error is unknown.';
  const doubt = fit?.quietness.disturbed ? ' Other programs disturbed it: its errors are larger.' : '';
  return section(
    'what-if',
    'Other rates and sizes',
    'Simulated round-trip times at any rate and size, above the nearest measured ones. Boxes are drawn without outliers. The page simulates by itself.',
    html`<p><span class="mark simulated">${simulatedMark({ name, assumed, fit }, !isForeign && cores === own?.cores)}</span></p>`,
    html`<p class="note">Simulated times follow from ${assumed ? 'assumptions' : 'the calibration'} ${name}: ${machine} with ${counted(cores, 'core')}. ${error}${doubt}${isForeign && ' It was measured on another machine than this run.'}${own && own.cores !== cores && ` They stand for the ${counted(own.cores, 'core')} of this run.`} Intervals are between replications, without that error.</p>`,
    html`<div id="what-if-controls"></div>`,
    chartFigure({ title: 'Simulated and measured times', name: 'what-if' }, html`<div class="drawing"></div>`),
    html`<noscript><p class="note">The sliders need the page’s script.</p></noscript>`,
  );
}

/** `20` of `20.19.0`. */
function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}

/** Without outliers, and to the µs: a page has many of them. */
function embedded(box: BoxPlot): BoxPlot {
  const { lowUs, q1Us, medianUs, q3Us, highUs, repetitionMediansUs } = box;
  return {
    ...box,
    ...{ lowUs: Math.round(lowUs), q1Us: Math.round(q1Us), medianUs: Math.round(medianUs) },
    ...{ q3Us: Math.round(q3Us), highUs: Math.round(highUs), outliersUs: [] },
    repetitionMediansUs: repetitionMediansUs.filter((us) => !Number.isNaN(us)).map(Math.round),
  };
}
