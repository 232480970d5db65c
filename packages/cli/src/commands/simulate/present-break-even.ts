/** `simulate --break-even`: the levels of the factor as an experiment, then the curves and where they cross. */
import { describeLevel } from '@topo-bench/core';
import { simulatedText } from '@topo-bench/report';
import type { Run } from '@topo-bench/workbench';
import { breakEvenJson, breakEvenOf, curveRows } from '@topo-bench/workbench/questions/break-even';
import { printJson, printLine } from '../../output.ts';
import type { BreakEvenRange } from './break-even-range.ts';
import type { SimulateFlags } from './options.ts';

type Flags = Omit<SimulateFlags, 'calibration' | 'breakEven' | 'sensitivity'>;

/** Enough for an interval in every cell, where a repetition takes a moment. */
const repetitions = 10;

export function withLevels({ factor, levels }: BreakEvenRange, flags: Flags): Flags {
  const set: [string, string][] = [...(flags.set ?? []), [`factors.${factor}`, JSON.stringify(levels)]];
  return { ...flags, set, repetitions: flags.repetitions ?? repetitions };
}

export function presentBreakEven(factor: string, { json }: Flags): (run: Run) => Promise<void> {
  return async (run) => {
    const { folder, record, cells, failure } = run;
    const finished = { folder, record, cells: [...cells] };
    const answer = breakEvenOf(finished, factor);
    if (json) {
      printJson({ runDir: folder, simulation: simulatedText([finished]), ...breakEvenJson(answer) });
    } else {
      printLine(simulatedText([finished]));
      for (const sentence of answer.sentences) printLine(`\n${sentence}`);
      for (const curve of answer.curves) {
        const names = [curve.level, curve.reference].map((level) => describeLevel('architecture', level));
        printLine(`\n${names.join(' against ')}, median round-trip time:`);
        const rows = curveRows(curve, factor);
        const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
        for (const row of rows)
          printLine(`  ${row.map((text, at) => text.padEnd(widths[at] as number)).join('  ')}`.trimEnd());
      }
      printLine(`\nrun folder: ${folder}`);
    }
    // Cells near capacity have no valid repetition: the curve ends before them.
    if (failure && answer.curves.length === 0) throw failure;
  };
}
