/** Settings in which the published medians have the opposite order of what this run shows. */
import { formatChange } from '@topo-bench/comparison';
import { describeLevel, formatUs } from '@topo-bench/core';
import { describeLevels } from '@topo-bench/report/model';
import type { Answer } from './answer.ts';
import { publishedMedianUs } from './published-medians.ts';
import type { RoutingModel } from './routing-model.ts';

/** One sentence; empty without published medians of both levels of any comparison that shows a difference. */
export function publishedOrderSentences({ published, factors }: RoutingModel, answer: Answer): string[] {
  const { compared, reference, settings } = answer;
  const varying = factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const both = settings.flatMap(({ factors: setting, contenders }) =>
    contenders.flatMap(({ level, againstReference: cell }) => {
      const [own, other] = [level, reference].map((one) =>
        publishedMedianUs(published, { ...setting, [compared.name]: one }),
      );
      const isShown = cell?.verdict === 'faster' || cell?.verdict === 'slower';
      if (!cell || !isShown || own === undefined || other === undefined || own === other) return [];
      return [{ setting, level, cell, own, other, isOpposite: own < other !== cell.differencePercent < 0 }];
    }),
  );
  const opposite = both.filter(({ isOpposite }) => isOpposite);
  const [first] = opposite;
  if (!first) return [];
  const [one, other] = [describeLevel(compared.name, first.level), describeLevel(compared.name, reference)];
  const where = describeLevels(varying, first.setting);
  const medians = `${one} ${formatUs(first.own)} and ${other} ${formatUs(first.other)}`;
  return [
    `The published order is the opposite of this run's in ${opposite.length} of ${both.length} shown differences, e.g. ${where === '' ? '' : `with ${where}: `}published ${medians}, while here ${one} is ${formatChange(first.cell.differencePercent)} against ${other}.`,
  ];
}
