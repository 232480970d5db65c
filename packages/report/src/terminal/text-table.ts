/** Aligned columns of text. In a narrow terminal the least important columns are omitted. */
import { stripVTControlCharacters } from 'node:util';

export interface Column {
  heading: string;
  align: 'left' | 'right';
  /** Columns with the highest number are dropped first; 0 is never dropped. */
  dropOrder?: number;
}

export interface TableText {
  lines: string[];
  /** Headings of columns that did not fit. */
  dropped: string[];
}

/**
 * @param rows texts per column; control characters for styles are allowed and have no width
 * @param width max characters per line, as far as columns may be dropped
 * @param strong styles the line of headings
 */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  strong: (text: string) => string,
): TableText {
  const widths = columns.map(({ heading }, at) =>
    Math.max(heading.length, ...rows.map((row) => visibleLength(row[at] ?? ''))),
  );
  const { shown, gap } = layout(columns, widths, width);
  const line = (texts: readonly string[]): string =>
    shown
      .map((at) => pad(texts[at] ?? '', widths[at] as number, (columns[at] as Column).align))
      .join(gap)
      .trimEnd();
  return {
    lines: [strong(line(columns.map(({ heading }) => heading))), ...rows.map(line)],
    dropped: columns.filter((_, at) => !shown.includes(at)).map(({ heading }) => heading),
  };
}

/** A sentence that names the columns of a table that did not fit; none where all did. */
export function withoutColumns({ dropped }: Pick<TableText, 'dropped'>): string[] {
  return dropped.length > 0 ? [`Left out for lack of width: ${dropped.join(', ')}.`] : [];
}

/** Two spaces between columns, then one if the table is too wide, then fewer columns. */
function layout(
  columns: readonly Column[],
  widths: readonly number[],
  width: number,
): { shown: number[]; gap: string } {
  const shown = new Set(columns.keys());
  const total = (gap: number): number => [...shown].reduce((sum, at) => sum + (widths[at] as number) + gap, -gap);
  if (total(2) <= width) return { shown: [...shown], gap: '  ' };
  const droppable = [...columns.keys()]
    .filter((at) => (columns[at]?.dropOrder ?? 0) > 0)
    .sort((a, b) => (columns[b]?.dropOrder ?? 0) - (columns[a]?.dropOrder ?? 0));
  for (const at of droppable) {
    if (total(1) <= width) break;
    shown.delete(at);
  }
  return { shown: [...shown], gap: total(2) <= width ? '  ' : ' ' };
}

function pad(text: string, width: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, width - visibleLength(text)));
  return align === 'left' ? text + space : space + text;
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}
