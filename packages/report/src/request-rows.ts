/** Every request of a report with the levels of its cell, as rows for other programs. The first row is the header. */
import { requestColumns as own, readSamples, samplesOf } from '@topo-bench/results';
import type { CsvValue } from './csv.ts';
import { reportLevels } from './model/report-levels.ts';
import type { Report } from './read-report.ts';

/**
 * Invalid repetitions have their rows too, with `valid` false; superseded measurements have none. Time and memory grow
 * with the number of requests.
 * @throws TopoBenchError as `readSamples`
 */
export async function requestRows({ runs, factors }: Report): Promise<CsvValue[][]> {
  const names = factors.map(({ name }) => name);
  const rows: CsvValue[][] = [[...names, 'repetition', 'valid', ...own, 'exposureBytes']];
  for (const run of runs) {
    for (const cell of run.cells) {
      const path = samplesOf(run, cell);
      if (path === undefined) continue;
      const levels = reportLevels(run, cell, runs);
      const head = [...names.map((name) => levels[name]), cell.repetition, cell.validity.valid];
      for (const sample of await readSamples(path)) {
        const exposed = Object.values(sample.exposureBytes).reduce((sum, bytes) => sum + bytes, 0);
        rows.push([...head, ...own.map((key) => sample[key as keyof typeof sample] as CsvValue), exposed]);
      }
    }
  }
  return rows;
}
