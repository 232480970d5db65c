/** The change of throughput with the volume as a table of texts. */
import { numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import { intervalText, percentText } from '@topo-bench/study-kit/interval-text';
import { variantName } from '../variants.ts';
import { type AccessCell, sourceName } from './access-cells.ts';
import { volumeSlopes } from './volume-slopes.ts';

export function slopeTable(cells: readonly AccessCell[]): StudyTable[] {
  const slopes = volumeSlopes(cells);
  if (slopes.length === 0) return [];
  const hasOptions = slopes.some(({ others }) => others !== '');
  return [
    {
      id: 'slopes',
      title: 'Does throughput hold?',
      note: 'Change of rows per second for each doubling of the rows, with its 95% interval over rounds: from the first data on, and over all of the time. A start takes as long for few rows as for many, so a level read gets faster with its start. Level: the whole interval from the first data on is within ±5%.',
      columns: [
        textColumn('source'),
        textColumn('variant'),
        ...(hasOptions ? [textColumn('options')] : []),
        numberColumn('from the first data on'),
        textColumn('95% interval'),
        numberColumn('with the start'),
        textColumn('95% interval of it'),
        numberColumn('rounds'),
        textColumn('verdict'),
      ],
      rows: slopes.map(({ source, variant, others, afterStart, overall, rounds, verdict }) => [
        sourceName(source),
        variantName(variant),
        ...(hasOptions ? [others] : []),
        percentText(afterStart.estimate),
        intervalText(afterStart, percentText),
        percentText(overall.estimate),
        intervalText(overall, percentText),
        String(rounds),
        verdict,
      ]),
      cells: slopes.map((slope) => slope.cells.map(({ index }) => index)),
    },
  ];
}
