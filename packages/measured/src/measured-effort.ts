/** The effort of measured cells: their time and size on the hosts of their runners. */
import type { RunnerNamed } from '@topo-bench/runners';
import type { Effort, ExperimentCell } from '@topo-bench/trial';
import { durationInTurnsUs } from '@topo-bench/workload';
import { capacitiesOf } from './capacities.ts';
import { dataRowsOf } from './data-rows.ts';
import type { MeasuredStudy } from './measured-study.ts';
import { bytesPerProcess, processLimit } from './process-limit.ts';
import {
  estimateDeploySeconds,
  estimateLoadSeconds,
  loadOverheadSeconds,
  maxSeconds,
  type RepetitionSize,
  repetitionSize,
} from './time-estimate.ts';

/** The upper limit of work that is done once is that of a machine this many times slower. */
const onceSlowest = 4;

/**
 * @param measuring the study that measures a cell
 * @throws TopoBenchError for user-supplied data that cannot be read
 */
export async function measuredEffort(
  cells: readonly ExperimentCell[],
  measuring: (cell: ExperimentCell) => MeasuredStudy,
  runnerNamed: RunnerNamed,
): Promise<Effort> {
  const names = [...new Set(cells.map(({ settings }) => settings.runner))];
  const rows = await dataRowsOf(cells, measuring);
  const capacityOf = await capacitiesOf(names, runnerNamed);
  const sizeOf = (cell: ExperimentCell): RepetitionSize => ({
    ...repetitionSize(cell, capacityOf(cell.settings.runner).cores),
    ...measuring(cell).sizeOf?.(cell, rows.of(cell)),
  });
  return {
    remarks: rows.remarks,
    bytesPerProcess,
    maxProcessesOf: ({ settings }) => processLimit(capacityOf(settings.runner)),
    processesOf: (members) => jointSize(members, sizeOf).processes,
    deployTime(members) {
      const size = jointSize(members, sizeOf);
      return { seconds: estimateDeploySeconds(size), maxSeconds: maxSeconds(size).deploy };
    },
    loadTime(cell) {
      const size = inTurns(cell, sizeOf(cell));
      return {
        seconds: estimateLoadSeconds(size),
        maxSeconds: maxSeconds(size).load,
        sharedSeconds: loadOverheadSeconds,
      };
    },
    onceTime(members) {
      const [first] = members;
      const study = first && measuring(first);
      const seconds = study && 'openRun' in study ? (study.onceSeconds?.(members, rows.of) ?? 0) : 0;
      return { seconds, maxSeconds: onceSlowest * seconds };
    },
  };
}

/** Deployments of a group start and warm up together: their processes and hops add up. */
function jointSize(
  members: readonly ExperimentCell[],
  sizeOf: (cell: ExperimentCell) => RepetitionSize,
): RepetitionSize {
  const sizes = [...new Map(members.map((cell) => [cell.deployment, sizeOf(cell)])).values()];
  const sum = (of: (size: RepetitionSize) => number): number => sizes.reduce((total, size) => total + of(size), 0);
  return {
    ...(sizes[0] as RepetitionSize),
    processes: sum(({ processes }) => processes),
    hops: sum(({ hops }) => hops),
  };
}

/** With turns, the gaps between slices extend the load. */
function inTurns({ settings: { deploy, turns } }: ExperimentCell, size: RepetitionSize): RepetitionSize {
  if (deploy !== 'interleaved') return size;
  return { ...size, durationUs: durationInTurnsUs(size.durationUs, 1, { sliceUs: turns.slice, gapUs: turns.gap }) };
}
