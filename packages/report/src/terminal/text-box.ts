/** A box plot as one line of text for the terminal, and the axis below a column of them. */
import type { BoxPlot } from '../model/box-plot.ts';
import type { Scale } from '../scale.ts';

/** Legend of the characters, in drawing order. */
export const boxKey = '├─┤ whiskers, ▒ quartiles, ┃ median, · outliers';

/**
 * @param width in characters
 * @param publishedUs published median, drawn as a diamond unless the measured median covers it
 */
export function boxLine(box: BoxPlot, scale: Scale, width: number, publishedUs: number | undefined): string {
  const line = Array.from({ length: width }, () => ' ');
  const column = (us: number): number => columnAt(scale.at(us), width);
  const put = (us: number, character: string): void => {
    line[column(us)] = character;
  };
  for (const us of box.outliersUs) put(us, '·');
  line.fill('─', column(box.lowUs), column(box.highUs) + 1);
  put(box.lowUs, '├');
  put(box.highUs, '┤');
  line.fill('▒', column(box.q1Us), column(box.q3Us) + 1);
  if (publishedUs !== undefined) put(publishedUs, '◆');
  put(box.medianUs, '┃');
  return line.join('').trimEnd();
}

/** Labels below their ticks; a label that would touch another is omitted. */
export function axisLine({ at, ticks, infiniteFrom }: Scale, width: number, infinite: string): string {
  const labels = [
    ...(infiniteFrom === undefined ? [] : [{ at: at(Number.POSITIVE_INFINITY), label: infinite }]),
    ...ticks,
  ];
  const line = Array.from({ length: width }, () => ' ');
  for (const { at: place, label } of labels) {
    const from = Math.max(0, Math.min(width - label.length, columnAt(place, width) - Math.floor(label.length / 2)));
    const around = line.slice(Math.max(0, from - 1), from + label.length + 1);
    if (around.every((character) => character === ' ')) line.splice(from, label.length, ...label);
  }
  return line.join('').trimEnd();
}

function columnAt(percent: number, width: number): number {
  return Math.max(0, Math.min(width - 1, Math.round((percent / 100) * (width - 1))));
}
