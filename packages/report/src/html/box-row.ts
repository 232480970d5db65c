/** A box plot as a strip that fills a table cell, and the axis for a column of box plots. */
import { formatUs } from '@topo-bench/core';
import type { BoxPlot } from '../model/box-plot.ts';
import type { Scale } from '../scale.ts';
import { html, type Markup } from './safe-html.ts';

const height = 30;
const middle = 14;

/**
 * @param otherUs median from elsewhere, drawn as a diamond
 * @param otherName what it is
 */
export function boxRow(
  box: BoxPlot,
  scale: Scale,
  infinite: string,
  otherUs: number | undefined,
  otherName = 'published median',
): Markup {
  const x = (us: number): string => percent(scale.at(us));
  const text = describeBox(box, infinite, otherUs === undefined ? '' : `, ${otherName} ${formatUs(otherUs, infinite)}`);
  return html`<svg class="box" width="100%" height="${height}" role="img" aria-label="${text}"><title>${text}</title>${gridLines(scale, height)}
<line class="whisker" x1="${x(box.lowUs)}" x2="${x(box.q1Us)}" y1="${middle}" y2="${middle}"/><line class="whisker" x1="${x(box.q3Us)}" x2="${x(box.highUs)}" y1="${middle}" y2="${middle}"/>
${[box.lowUs, box.highUs].filter(Number.isFinite).map((us) => html`<line class="whisker" x1="${x(us)}" x2="${x(us)}" y1="${middle - 4}" y2="${middle + 4}"/>`)}
<g class="outliers">${outlierPlaces(box, scale).map((place) => html`<circle cx="${place}" cy="${middle}" r="1.6"/>`)}</g>
<rect class="body" x="${x(box.q1Us)}" width="${percent(Math.max(0.3, scale.at(box.q3Us) - scale.at(box.q1Us)))}" y="${middle - 7}" height="14" rx="1.5"/>
<line class="median" x1="${x(box.medianUs)}" x2="${x(box.medianUs)}" y1="${middle - 7}" y2="${middle + 7}"/>
<g class="repetitions">${box.repetitionMediansUs.filter((us) => !Number.isNaN(us)).map((us) => html`<line x1="${x(us)}" x2="${x(us)}" y1="${middle + 9}" y2="${middle + 14}"/>`)}</g>
${otherUs !== undefined && html`<svg class="published" x="${x(otherUs)}" y="${middle}" overflow="visible"><path d="M-5 0 0-5 5 0 0 5Z"/></svg>`}</svg>`;
}

/** Tick labels under the grid lines of the rows above. */
export function axisRow(scale: Scale, infinite: string): Markup {
  return html`<svg class="axis" width="100%" height="20" aria-hidden="true">${scale.ticks.map(
    ({ at, label }) =>
      html`<text x="${percent(at)}" y="14" text-anchor="${at < 6 ? 'start' : at > 94 ? 'end' : 'middle'}">${label}</text>`,
  )}${scale.infiniteFrom !== undefined && html`<text x="100%" y="14" text-anchor="end">${infinite}</text>`}</svg>`;
}

function gridLines(scale: Scale, lineHeight: number): Markup {
  return html`<g class="grid">${scale.ticks.map(({ at }) => html`<line x1="${percent(at)}" x2="${percent(at)}" y1="0" y2="${lineHeight}"/>`)}${
    scale.infiniteFrom !== undefined &&
    html`<rect x="${percent(scale.infiniteFrom)}" width="${percent(100 - scale.infiniteFrom)}" y="0" height="${lineHeight}"/>`
  }</g>`;
}

function percent(value: number): string {
  return `${Number(value.toFixed(2))}%`;
}

/** Rounds places to 0.1% of the width. Outliers at the same place would overlap and share one circle. */
function outlierPlaces(box: BoxPlot, scale: Scale): string[] {
  return [...new Set(box.outliersUs.map((us) => `${scale.at(us).toFixed(1)}%`))];
}

function describeBox(box: BoxPlot, infinite: string, other: string): string {
  const us = (value: number): string => formatUs(value, infinite);
  const parts = [
    `median ${us(box.medianUs)}`,
    `quartiles ${us(box.q1Us)} and ${us(box.q3Us)}`,
    `whiskers ${us(box.lowUs)} to ${us(box.highUs)}`,
    `${box.outliers} outliers`,
    ...(box.unfinished > 0 ? [`${box.unfinished} of ${box.count} unfinished`] : []),
  ];
  return parts.join(', ') + other;
}
