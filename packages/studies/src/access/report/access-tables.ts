/** A data-access study as tables of texts, the same in the terminal, in Markdown and on the page. */
import { numberColumn, type StudyTable, sentenceColumn, textColumn } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { intervalText, percentText } from '../../interval-text.ts';
import { variantName } from '../variants.ts';
import { type AccessCell, accessCells, sourceName } from './access-cells.ts';
import { cellTable, partTable, resourceTable } from './cell-tables.ts';
import { hasPublishedVariants, judgeFindings } from './findings.ts';
import { optionTable, priceTable } from './price-tables.ts';
import { volumeSlopes } from './volume-slopes.ts';

export function accessTables(report: ReportModel): StudyTable[] {
  const cells = accessCells(report);
  return [
    ...priceTable(cells),
    ...optionTable(cells),
    ...findingTable(cells),
    ...slopeTable(cells),
    cellTable(cells),
    partTable(cells),
    resourceTable(cells),
  ];
}

/** Findings without data are one line of the note. */
export function findingTable(cells: readonly AccessCell[]): StudyTable[] {
  if (!hasPublishedVariants(cells)) return [];
  const all = judgeFindings(cells);
  const findings = all.filter(({ evidence }) => evidence.length > 0);
  const others = all.filter(({ evidence }) => evidence.length === 0);
  if (findings.length === 0) return [];
  const withoutData = others.map(({ source, statement }) => `${source}, ${statement.replace(/\.$/, '')}`).join('; ');
  return [
    {
      id: 'findings',
      title: 'Findings of the published study',
      note: `Bodziony, Szóstak, Tarnacki, Wrembel (2026), with figures of this run. Ratios of times over all volumes, with exact 95% signed-rank intervals. Confirmed: every claim is shown. Refuted: the reverse of one is shown. The study publishes charts, not figures.${withoutData && ` No data in this run for: ${withoutData}.`}`,
      columns: [textColumn('source'), sentenceColumn('finding'), textColumn('here'), sentenceColumn('evidence')],
      rows: findings.map(({ source, statement, verdict, evidence }) => [
        source,
        statement,
        verdict,
        evidence.join('; '),
      ]),
    },
  ];
}

function slopeTable(cells: readonly AccessCell[]): StudyTable[] {
  const slopes = volumeSlopes(cells);
  if (slopes.length === 0) return [];
  return [
    {
      id: 'slopes',
      title: 'Does throughput hold?',
      note: 'Change of rows per second for each doubling of the rows, with its 95% interval over rounds. Level: the whole interval is within ±5%.',
      columns: [
        textColumn('source'),
        textColumn('variant'),
        numberColumn('for each doubling'),
        textColumn('95% interval'),
        numberColumn('rounds'),
        textColumn('verdict'),
      ],
      rows: slopes.map(({ source, variant, perDoubling, rounds, verdict }) => [
        sourceName(source),
        variantName(variant),
        percentText(perDoubling.estimate),
        intervalText(perDoubling, percentText),
        String(rounds),
        verdict,
      ]),
      cells: slopes.map((slope) => slope.cells.map(({ index }) => index)),
    },
  ];
}
