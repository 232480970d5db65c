/**
 * The page's script: filters and metric, charts drawn from the data in the page, values under pointer and arrow keys,
 * downloads.
 */
import type { ChartData } from '../html/chart-data.ts';
import { type Choice, connectControls } from './controls.ts';
import { addDownloads } from './download.ts';
import { drawFigures } from './draw-figures.ts';
import { filterRows } from './filter-rows.ts';

const data = JSON.parse(document.getElementById('chart-data')?.textContent ?? '{}') as ChartData;

const show = (choice: Choice): void => {
  filterRows(choice);
  drawFigures(data, choice);
};

let choice = connectControls(data, (chosen) => {
  choice = chosen;
  show(chosen);
});
show(choice);
addDownloads();

// Text keeps its size when the page gets wider: charts are drawn anew instead of scaled.
let width = document.documentElement.clientWidth;
let waiting = 0;
window.addEventListener('resize', () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  clearTimeout(waiting);
  waiting = window.setTimeout(() => drawFigures(data, choice), 150);
});
