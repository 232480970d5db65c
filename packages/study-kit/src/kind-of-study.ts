/** One kind of study as the registry lists it: how it measures, what it compares, and how it reports. */
import type { StudyMetrics } from '@topo-bench/comparison';
import type { MeasuredStudy } from '@topo-bench/measured';
import type { StudyReport } from '@topo-bench/report';
import type { ExperimentCell, TestBed } from '@topo-bench/trial';
import type { SimulatedMachine } from './simulated-machine.ts';

export type KindOfStudy = MeasuredStudy & {
  /** Figures next to those that every cell has; absent where there are none. */
  readonly metrics?: StudyMetrics;
  /** Opens a simulated deployment of a cell; absent where this kind of study cannot be simulated. */
  simulate?(cell: ExperimentCell, machine: SimulatedMachine): Promise<TestBed>;
  /** Loads for reports only; measurements need none of it. */
  report(): Promise<StudyReport>;
};
