/** Parts of report pages that the page of the workshop uses as well. */
export { heldOutText } from '../calibration-table.ts';
export { axisRow, boxRow } from '../html/box-row.ts';
export type { ChartData, LinePanel } from '../html/chart-data.ts';
export { colourClass, colourVariable } from '../html/palette.ts';
export { type Content, html, Markup } from '../html/safe-html.ts';
export type { BoxPlot } from '../model/box-plot.ts';
export { costPerMonth, formatPrice } from '../price.ts';
export { scaleFor } from '../scale.ts';
export { simulatedMark } from '../simulated-mark.ts';
export type { WhatIfData } from '../what-if.ts';
export { ecdf } from './charts/ecdf.ts';
export { lines } from './charts/lines.ts';
export { drawDiagram } from './diagram/draw.ts';
export { maxDrawn } from './diagram/layout.ts';
export { Travel } from './diagram/travel.ts';
export { addDownloads } from './download.ts';
export { h } from './element.ts';
export { drawPanel, panelFor } from './panel.ts';
