/** `run --dry-run`: prints the cells of an experiment and their cost, and runs none of them. */
import { designOf, designSentence } from '@topo-bench/comparison/design';
import { counted, describeCell, formatBytes, formatSeconds } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { usableCores } from '@topo-bench/host';
import type { Demand } from '@topo-bench/measured/bearable';
import type { Backend } from '@topo-bench/trial';
import type { Estimate, Workbench } from '@topo-bench/workbench';
import { interruptible } from '../../interrupt.ts';
import { settingOf } from '../../measuring.ts';
import { note, printJson, printLine, progressLine } from '../../output.ts';
import type { EngineFlags } from '../../runner-option.ts';

interface DryRunFlags extends EngineFlags {
  json?: boolean;
  probe?: boolean;
}

/** @param backend undefined: the one of real processes */
export async function dryRun(bench: Workbench, flags: DryRunFlags, backend?: Backend): Promise<void> {
  const estimate = await interruptible(
    (signal) =>
      bench.estimate(settingOf(flags, backend).backends, {
        probe: flags.probe ?? true,
        signal,
        onProbe: ({ levels }) =>
          progressLine(
            `probing for five seconds what a request costs here: ${describeCell(levels)} (--no-probe skips it)`,
          ),
        onWarning: (message) => note(`warning: ${message}`),
      }),
    'interrupted: tearing down',
  );
  printEstimate(estimate, bench.resolved.experiment, flags);
}

function printEstimate(estimate: Estimate, { name, repetitions }: ExperimentFile, { json }: DryRunFlags): void {
  const levels = estimate.cells.map(({ cell }) => cell.levels);
  // Other kinds of study than routing have comparisons of their own.
  const isRouting = estimate.cells[0]?.cell.study.kind === 'routing';
  const design = isRouting ? designOf(levels, repetitions) : undefined;
  const cells = estimate.cells.map(({ cell, processes, seconds, demand, overload }) => ({
    factors: cell.levels,
    processes,
    estimatedSeconds: Math.round(seconds),
    ...loadOf(demand),
    ...(overload !== undefined && { overload }),
  }));
  for (const remark of estimate.remarks) note(`note: ${remark}`);
  const overloaded = cells.filter(({ overload }) => overload !== undefined);
  const { open, seconds, maxSeconds, onceSeconds, memoryBytes, processes } = estimate;
  if (json) {
    printJson({
      name,
      repetitions,
      ...(open !== undefined && { openRepetitions: open }),
      cells,
      estimatedSeconds: Math.round(seconds),
      longestSeconds: Math.round(maxSeconds),
      memoryBytes,
      ...(design && { design }),
    });
    warn(overloaded);
    return;
  }
  for (const { factors, processes: count, estimatedSeconds, hostPercent } of cells) {
    const processesText = counted(count, 'process', 'processes');
    const load = hostPercent === undefined ? '' : `, about ${coresText(hostPercent)}`;
    printLine(
      `${describeCell(factors)}: ${processesText}, about ${formatSeconds(estimatedSeconds)} a repetition${load}`,
    );
  }
  if (onceSeconds >= 1) printLine(`loads of tables, once: about ${formatSeconds(onceSeconds)}`);
  printLine();
  const all = `${counted(cells.length, 'cell')} × ${counted(repetitions, 'repetition')}`;
  const shown = open === undefined ? all : `${open} left of ${all}`;
  printLine(`${shown}: about ${formatSeconds(seconds)}, at most ${formatSeconds(maxSeconds)}`);
  const canShow = design ? designSentence(design) : '';
  if (canShow !== '') printLine(`what it can show: ${canShow}`);
  printLine(`memory: up to about ${formatBytes(memoryBytes)} for ${processes} processes at once`);
  warn(overloaded);
}

/** `0.4 of 2 cores`. */
function coresText(hostPercent: number): string {
  const cores = usableCores();
  return `${Number(((hostPercent / 100) * cores).toPrecision(2))} of ${counted(cores, 'core')}`;
}

function warn(overloaded: readonly { factors: FactorLevels; overload?: string }[]): void {
  for (const { factors, overload } of overloaded) note(`warning: ${describeCell(factors)} ${overload}`);
  if (overloaded.length > 0) note(hintOf(overloaded.length));
}

/** The estimated load of a cell; empty without an estimate. */
function loadOf(demand: Demand | undefined): {
  hostPercent?: number;
  busiestEventLoop?: { role: string; percent: number };
} {
  if (!demand) return {};
  const { hostShare, busiest } = demand;
  return {
    hostPercent: Number((100 * hostShare).toPrecision(2)),
    busiestEventLoop: { role: busiest.role, percent: Number((100 * busiest.share).toPrecision(2)) },
  };
}

function hintOf(count: number): string {
  const these = count === 1 ? 'its queue' : 'their queues';
  return `hint: ${these} would grow as long as the load lasts. This is an estimate from one small deployment: measured loads were 0.5 to 1.1 times as high. Lower the rate, or leave levels out with --only.`;
}
