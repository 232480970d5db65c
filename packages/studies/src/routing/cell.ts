/**
 * The entry of `cells.json` for requests through a deployment. Every figure comes from the process that measured it.
 */
import type { RoleStats, Sample, TopoBenchError } from '@topo-bench/core';
import type { Cell, DeploymentHistory } from '@topo-bench/core/schema/result';
import { type ExperimentCell, type ProcessUse, processRecords, roleCpu, roleResources } from '@topo-bench/experiment';
import type { HostUse } from '@topo-bench/host';
import type { LoadJob, LoadResult } from '@topo-bench/loadgen';
import { cellOfSamples, type Repetition } from '@topo-bench/results';
import type { Deployment } from '@topo-bench/runners';
import type { DecisionCheck } from './check-decisions.ts';

export interface RequestMeasurement extends Pick<Repetition, 'achievedRps' | 'findings'> {
  deployment: Pick<Deployment, 'roles'>;
  history: DeploymentHistory;
  cell: ExperimentCell;
  repetition: number;
  job: LoadJob;
  load: LoadResult;
  samples: readonly Sample[];
  check: DecisionCheck;
  /** Whether the warm-up settled. */
  warm: boolean;
  deaths: readonly TopoBenchError[];
  stats: readonly RoleStats[];
  windowUs: number;
  /** By kind of role; empty if the host cannot read it. */
  use: Readonly<Record<string, ProcessUse>>;
  pssBytesOf: ReadonlyMap<string, number>;
  host: HostUse | undefined;
  /** For cells that took turns. */
  turns?: Cell['turns'];
}

export function assembleCell({ cell, job, history, deployment, turns, ...measured }: RequestMeasurement): Cell {
  const { stats, windowUs, use, pssBytesOf } = measured;
  const { load, validity } = cell.settings;
  const { smallestDifference, maxErrorShare } = validity;
  return cellOfSamples({
    ...measured,
    source: 'measured',
    factors: cell.levels,
    ...(load.driver === 'open' && { schedule: { rateRps: job.rateRps, smallestDifference } }),
    maxErrorShare,
    cpu: roleCpu(stats, use),
    resources: roleResources(stats, windowUs, use, pssBytesOf),
    study: {
      processes: processRecords(use, stats),
      ...gatewayRecord(deployment),
      deployment: history,
      ...(turns && { turns }),
    },
  });
}

/** Empty if the runner cannot read it. */
function gatewayRecord({ roles }: RequestMeasurement['deployment']): Pick<Cell, 'gateway'> {
  const { goesFirst } = roles.find(({ kind }) => kind === 'gateway') ?? {};
  return goesFirst === undefined ? {} : { gateway: { priority: goesFirst } };
}
