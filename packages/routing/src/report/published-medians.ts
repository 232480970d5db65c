/** Median round-trip times that a routing study published: a column per factor, and one with the median. */
import { TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { publishedFigure, readPublishedFile } from '@topo-bench/report/model';

export interface PublishedMedians {
  file: string;
  rows: { factors: FactorLevels; medianUs: number }[];
}

const medianColumn = 'median_rtt_ms';
/** Columns with figures or remarks; all others are factors. */
const notFactors = /_ms$|^provenance$/;
const factorNames: Record<string, string> = { rate_rps: 'rate' };

/** @throws TopoBenchError `TB_PUBLISHED_INVALID` */
export async function readPublishedMedians(file: string): Promise<PublishedMedians> {
  const { header, rows } = await readPublishedFile(file, [medianColumn]);
  const factors = header.filter((name) => !notFactors.test(name));
  return {
    file,
    rows: rows.map((row, index) => {
      const median = publishedFigure(row[medianColumn]);
      if (!(median >= 0)) {
        throw new TopoBenchError(
          'TB_PUBLISHED_INVALID',
          `${JSON.stringify(row[medianColumn])} is not a median in milliseconds`,
          {
            location: { file, line: index + 2, column: 1 },
          },
        );
      }
      return {
        factors: Object.fromEntries(factors.map((name) => [factorNames[name] ?? name, level(row[name] ?? '')])),
        medianUs: median * 1e3,
      };
    }),
  };
}

/** The published median of a cell: its levels must equal those of the file; the cell may have further factors. */
export function publishedMedianUs(published: PublishedMedians | undefined, factors: FactorLevels): number | undefined {
  return published?.rows.find((row) => Object.entries(row.factors).every(([name, value]) => factors[name] === value))
    ?.medianUs;
}

function level(text: string): string | number {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
