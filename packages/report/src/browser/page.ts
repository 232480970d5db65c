/**
 * The page's script: filters, metric selection, charts drawn from embedded data, values by pointer and arrow keys,
 * downloads.
 */
import type { ChartData } from '../html/chart-data.ts';
import { type Choice, connectControls } from './controls.ts';
import { addDownloads } from './download.ts';
import { drawTopology } from './draw-diagram.ts';
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
drawTopology(data);
addDownloads();

// A resize redraws charts instead of scaling them, because text must keep its size.
let width = document.documentElement.clientWidth;
let waiting = 0;
window.addEventListener('resize', () => {
  if (document.documentElement.clientWidth === width) return;
  width = document.documentElement.clientWidth;
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    drawFigures(data, choice);
    drawTopology(data);
  }, 150);
});
