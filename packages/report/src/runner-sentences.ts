/** The answer about runners in sentences: one per figure, with the sizes of the differences that are shown. */
import { cellKey } from '@topo-bench/core';
import { formatRatio } from './figure-text.ts';
import type { ReportModel } from './model/report-model.ts';
import { cellsByKey, comparedRunners, runnerFigures } from './runner-table.ts';

/**
 * Empty where all cells have the same runner.
 * @param mainTitle begins the sentence about the main figure of the study
 */
export function runnerSentences(model: ReportModel, mainTitle: string): string[] {
  const compared = comparedRunners(model);
  if (!compared) return [];
  const main = model.metrics.defaultOf(model.groups.flatMap(({ valid }) => valid));
  const [reference = '', ...others] = compared.levels;
  return [...runnerFigures, [main, mainTitle] as const].flatMap(([name, title]) => {
    const cells = cellsByKey(model, name, compared);
    const texts = others.flatMap((level) => {
      const found = model.groups.flatMap(({ factors }) =>
        factors[compared.name] === level ? (cells.get(cellKey(factors)) ?? []) : [],
      );
      if (found.length === 0) return [];
      const shown = found.filter(({ verdict }) => verdict !== 'cannot tell' && verdict !== 'no difference seen');
      const ratios = shown.map(({ differencePercent }) => 1 + differencePercent / 100).sort((a, b) => a - b);
      const [least, most] = [formatRatio(ratios[0] ?? Number.NaN), formatRatio(ratios.at(-1) ?? Number.NaN)];
      const size = shown.length === 0 ? '(no difference is shown)' : least === most ? least : `${least} to ${most}`;
      const part =
        shown.length === 0 || shown.length === found.length ? '' : ` in ${shown.length} of ${found.length} settings`;
      return [`${level} ${size}${part}`];
    });
    return texts.length === 0
      ? []
      : [`${title[0]?.toUpperCase()}${title.slice(1)}, against ${reference}: ${texts.join('; ')}.`];
  });
}
