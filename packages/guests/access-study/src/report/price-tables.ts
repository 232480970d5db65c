/** Tables of the prices of layers and of options: differences between cells, with their intervals. */
import { formatRatio, missing, numberColumn, type RowCells, type StudyTable, textColumn } from '@topo-bench/report';
import { intervalText } from '@topo-bench/study-kit/interval-text';
import { variantName } from '../variants.ts';
import type { AccessCell } from './access-cells.ts';
import { cellColumns, cellTexts } from './cell-columns.ts';
import { type LayerPrice, layerPrices } from './layers.ts';
import { optionPrices } from './option-prices.ts';
import { signedMs } from './sentences-of-many.ts';

export function priceTable(cells: readonly AccessCell[]): StudyTable[] {
  const prices = layerPrices(cells);
  if (prices.length === 0) return [];
  return [
    {
      id: 'prices',
      title: 'The price of each layer',
      note: 'Overall time of a variant less that of the nearest variant without the layer, and its rows per second to theirs: Hodges–Lehmann, with exact 95% rank intervals over repetitions.',
      columns: [...cellColumns(cells), textColumn('layer'), textColumn('against'), ...effectColumns],
      rows: prices.map((price) => [
        ...cellTexts(price.cell, cells),
        price.layer,
        variantName(price.baseline.variant),
        ...effectTexts(price),
      ]),
      cells: prices.map(comparedCells),
    },
  ];
}

export function optionTable(cells: readonly AccessCell[]): StudyTable[] {
  const prices = optionPrices(cells);
  if (prices.length === 0) return [];
  return [
    {
      id: 'options',
      title: 'The price of each option',
      note: 'Overall time of a cell less that of the same cell with the default of the option, and its rows per second to theirs: Hodges–Lehmann, with exact 95% rank intervals over repetitions. Below 0 ms, the option saves time.',
      columns: [...cellColumns(cells), textColumn('option'), ...effectColumns],
      rows: prices.map((price) => [...cellTexts(price.cell, cells), price.layer, ...effectTexts(price)]),
      cells: prices.map(comparedCells),
    },
  ];
}

function comparedCells({ baseline, cell }: LayerPrice): RowCells {
  return { all: [baseline.index, cell.index] };
}

const effectColumns = [
  numberColumn('time'),
  textColumn('95% interval'),
  numberColumn('speed'),
  textColumn('95% interval of it'),
];

function effectTexts({ difference, ratio }: LayerPrice): string[] {
  return [
    Number.isNaN(difference.estimate) ? missing : signedMs(difference.estimate),
    difference.interval.every(Number.isFinite) ? difference.interval.map(signedMs).join(' to ') : 'unknown',
    formatRatio(ratio.estimate),
    intervalText(ratio, formatRatio),
  ];
}
