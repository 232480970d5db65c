/** `run --dry-run`: prints the cells of an experiment and their cost, and runs none of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCell, formatBytes } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { estimateRun } from '@topo-bench/experiment';
import { openCells } from '@topo-bench/experiment/open-repetitions';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { measuredBackend } from '@topo-bench/measured';
import type { Demand } from '@topo-bench/measured/bearable';
import { openRun } from '@topo-bench/results/run-folder';
import { runnersWith } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { Backend, ExperimentCell } from '@topo-bench/trial';
import { formatSeconds } from '../../format-seconds.ts';
import { note, printJson, printLine } from '../../output.ts';
import { type EngineFlags, runnerOptionsOf } from '../../runner-option.ts';
import { demandsOf, overload } from './borne-cells.ts';

interface DryRunFlags extends EngineFlags {
  json?: boolean;
  probe?: boolean;
  resume?: string;
}

/** @param given default: the backend of real processes */
export async function dryRun(resolved: ResolvedExperiment, flags: DryRunFlags, given?: Backend): Promise<void> {
  const probes = flags.probe ?? true;
  // Without a probe nothing is started, and no log is written.
  const logsDir = probes && !given ? await mkdtemp(join(tmpdir(), 'topo-bench-probe-')) : tmpdir();
  let backend = given;
  try {
    backend ??= measuredBackend({ studies, runnerNamed: runnersWith(runnerOptionsOf(flags)), logsDir });
    await printCells(resolved, backend, flags);
  } finally {
    await backend?.close?.();
    if (logsDir !== tmpdir()) await rm(logsDir, { recursive: true, force: true });
  }
}

async function printCells(
  resolved: ResolvedExperiment,
  backend: Backend,
  { json, probe = true, resume }: DryRunFlags,
): Promise<void> {
  const effort = await backend.effortOf(resolved.cells);
  // A run to resume needs only the repetitions that it lacks.
  const open = resume === undefined ? undefined : openCells(resolved, effort, (await openRun(resume)).cells);
  const estimate = estimateRun(resolved, effort, open);
  const { repetitions, name } = resolved.experiment;
  const demands = probe ? await demandsOf(resolved.cells, backend) : new Map<ExperimentCell, Demand>();
  const cells = resolved.cells.map((cell) => ({
    factors: cell.levels,
    processes: estimate.processesOf(cell),
    estimatedSeconds: Math.round(estimate.secondsOf(cell)),
    ...loadOf(demands.get(cell)),
  }));
  for (const remark of effort.remarks) note(`note: ${remark}`);
  const overloaded = cells.filter(({ overload }) => overload !== undefined);
  const { seconds, maxSeconds, onceSeconds, memoryBytes, processes } = estimate;
  if (json) {
    printJson({
      name,
      repetitions,
      ...(open && { openRepetitions: open.length }),
      cells,
      estimatedSeconds: Math.round(seconds),
      longestSeconds: Math.round(maxSeconds),
      memoryBytes,
    });
    return warn(overloaded);
  }
  for (const { factors, processes: count, estimatedSeconds, hostPercent } of cells) {
    const processesText = `${count} ${count === 1 ? 'process' : 'processes'}`;
    const load = hostPercent === undefined ? '' : `, ${hostPercent}% of the cores`;
    printLine(
      `${describeCell(factors)}: ${processesText}, about ${formatSeconds(estimatedSeconds)} a repetition${load}`,
    );
  }
  if (onceSeconds >= 1) printLine(`loads of tables, once: about ${formatSeconds(onceSeconds)}`);
  printLine();
  const all = `${cells.length} cells × ${repetitions} repetitions`;
  printLine(
    `${open ? `${open.length} left of ${all}` : all}: about ${formatSeconds(seconds)}, at most ${formatSeconds(maxSeconds)}`,
  );
  printLine(`memory: up to about ${formatBytes(memoryBytes)} for ${processes} processes at once`);
  warn(overloaded);
}

function warn(overloaded: readonly { factors: FactorLevels; overload?: string }[]): void {
  for (const { factors, overload } of overloaded) note(`warning: ${describeCell(factors)} ${overload}`);
  if (overloaded.length > 0) note(hintOf(overloaded.length));
}

/** The estimated load of a cell; empty without an estimate. */
function loadOf(demand: Demand | undefined): {
  hostPercent?: number;
  busiestEventLoop?: { role: string; percent: number };
  overload?: string;
} {
  if (!demand) return {};
  const { hostShare, busiest } = demand;
  const why = overload(demand);
  return {
    hostPercent: Number((100 * hostShare).toPrecision(2)),
    busiestEventLoop: { role: busiest.role, percent: Number((100 * busiest.share).toPrecision(2)) },
    ...(why !== undefined && { overload: why }),
  };
}

function hintOf(count: number): string {
  const these = count === 1 ? 'its queue' : 'their queues';
  return `hint: ${these} would grow as long as the load lasts. This is an estimate from one small deployment: measured loads were 0.5 to 1.1 times as high. Lower the rate, or leave levels out with --only.`;
}
