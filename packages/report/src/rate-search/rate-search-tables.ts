/** The confirmed rates of a run with `--find-max`, and the loads of its search, as tables. */
import { bottleneckOf } from '@topo-bench/comparison';
import { factorHeading, isSteady } from '@topo-bench/core';
import { conditionName } from '@topo-bench/results';
import { median } from '@topo-bench/stats';
import { formatMs } from '../figure-text.ts';
import { numberColumn, type StudyTable, sentenceColumn, textColumn } from '../study-table.ts';
import type { RateSearchReport } from './rate-search.ts';

const verdicts = { met: 'meets', failed: 'fails', open: 'open' };

/** @param infinite text of a time of requests that never finished */
export function confirmedTable({ search, lines }: RateSearchReport, infinite: string): StudyTable {
  const name = conditionName(search.condition);
  return {
    id: 'confirmed-rates',
    title: `Rates with ${search.condition.text}`,
    note: 'Median over the repetitions with its 95% interval, in ms. A rate meets the condition, or fails, where the whole interval does.',
    columns: [
      textColumn('line'),
      numberColumn(factorHeading('rate')),
      numberColumn(`${name} (ms)`),
      textColumn('95% interval'),
      numberColumn('repetitions'),
      textColumn('verdict'),
      textColumn('busiest event loop'),
    ],
    rows: lines.flatMap((line) =>
      line.rates.map(({ rateRps, valuesUs, intervalUs: [low, high], verdict, cells }, at) => {
        const { role, eventLoop, idlePercent } = bottleneckOf(cells);
        // Times of an unstable cell grow with the length of the load.
        const isTimed = cells.every(isSteady);
        const idle = Number.isNaN(idlePercent) ? '' : `, host ${Math.round(idlePercent)}% idle`;
        return [
          at === 0 ? line.name : '',
          String(rateRps),
          isTimed ? formatMs(median(valuesUs), infinite) : '–',
          !isTimed || low === Number.NEGATIVE_INFINITY
            ? '–'
            : `[${formatMs(low, infinite)} … ${formatMs(high, infinite)}]`,
          String(valuesUs.length),
          verdicts[verdict],
          role === undefined ? '–' : `${role} ${Math.round(100 * eventLoop)}%${idle}`,
        ];
      }),
    ),
  };
}

export function probesTable({ search, nameOf, isSimulated }: RateSearchReport, infinite: string): StudyTable {
  const never = isSimulated ? '–' : infinite;
  return {
    id: 'search',
    title: 'Loads of the search',
    note: 'In the order measured; a rate that fails is tried twice. They choose the rates to confirm and are in no other figure.',
    columns: [
      textColumn('line'),
      numberColumn(factorHeading('rate')),
      numberColumn(`${conditionName(search.condition)} (ms)`),
      textColumn('condition'),
      sentenceColumn('not valid because'),
    ],
    rows: search.probes.map(({ factors, valueUs, met, reasons }) => [
      nameOf(factors),
      String(factors.rate),
      formatMs(valueUs, never),
      met ? verdicts.met : verdicts.failed,
      reasons.join('; '),
    ]),
  };
}
