/** What identifies a cell of a data-access study in tables: source, volume, query, variant and options. */
import { formatCount, numberColumn, type StudyTable, textColumn } from '@topo-bench/report';
import { variantName } from '../variants.ts';
import { type AccessCell, sourceName } from './access-cells.ts';

export function cellColumns(cells: readonly AccessCell[]): StudyTable['columns'] {
  return [
    textColumn('source'),
    numberColumn('rows'),
    ...(hasQueries(cells) ? [textColumn('query')] : []),
    textColumn('variant'),
    ...(hasOthers(cells) ? [textColumn('options')] : []),
  ];
}

export function cellTexts(cell: AccessCell, cells: readonly AccessCell[]): string[] {
  return [
    sourceName(cell.source),
    formatCount(cell.volume),
    ...(hasQueries(cells) ? [cell.query] : []),
    variantName(cell.variant),
    ...(hasOthers(cells) ? [cell.others] : []),
  ];
}

function hasQueries(cells: readonly AccessCell[]): boolean {
  return cells.some(({ query }) => query !== 'all');
}

function hasOthers(cells: readonly AccessCell[]): boolean {
  return cells.some(({ others }) => others !== '');
}
