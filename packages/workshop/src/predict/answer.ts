/** Answers a question of the page: what the topology looks like, and what each architecture would do. */
import { TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Overrides } from '@topo-bench/topology';
import { type Details, detailsOf } from './details.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import { type PredictedCell, predictedCell } from './predicted-cell.ts';
import { type PageProblem, type ReadGraph, readGraph, type Texts } from './read-topology.ts';
import { type ReplicationFigures, type Replicator, replicatorOf } from './replicate.ts';
import { comparedArchitectures, factorsOf, type Settings } from './settings.ts';

interface Asked {
  texts: Texts;
  settings: Settings;
  /** Overrides of the topology, before those of the settings. */
  overrides?: Overrides;
  /** Levels to predict; default: those that the workshop compares. */
  architectures?: readonly string[];
  /** Answers every `of`-th architecture from that one on, where several workers share a question; default: all. */
  part?: { from: number; of: number };
}

export interface Question extends Asked {
  calibration: Calibration;
}

/** Leaves out what follows the cells. */
export interface CellsQuestion extends Asked {
  calibration: Pick<Calibration, 'demand'>;
  cellsOnly: true;
}

export type Answer =
  /** Drawings by architecture; none while there are errors. `compared`: all of them, also those of other workers. */
  | {
      kind: 'read';
      problems: PageProblem[];
      drawings: Record<string, Drawing>;
      routers: number;
      compared: readonly string[];
    }
  /** `done` of `rounds` replications of every architecture. */
  | { kind: 'cells'; cells: PredictedCell[]; done: number; rounds: number }
  /** Last. */
  | { kind: 'details'; details: Details[] }
  | { kind: 'failed'; message: string; hint?: string };

/** An interval of the median at 95% needs six. */
const rounds = 8;
/** Graphs that are ready for another rate or other machines. */
const maxKept = 12;

export class Answerer {
  readonly #kept = new Map<string, Replicator>();
  /** The last reading without enforcement. Sliders of the load and of machines do not change it. */
  #first: { key: string; read: ReadGraph } | undefined;

  /** @param pause called between slices; ends the answer by rejecting */
  async answer(
    question: Question | CellsQuestion,
    emit: (answer: Answer) => void,
    pause: () => Promise<void>,
  ): Promise<void> {
    try {
      const replicators = await this.#read(question, emit);
      const found = replicators.map(({ architecture }) => ({ architecture, figures: [] as ReplicationFigures[] }));
      let cells: PredictedCell[] = [];
      for (let round = 1; round <= rounds && replicators.length > 0; round++) {
        for (const [at, { replicator }] of replicators.entries()) {
          const { settings, calibration } = question;
          found[at]?.figures.push(await replicator.replicate(settings, calibration.demand, round, pause));
        }
        cells = found.map(({ architecture, figures }, at) => {
          const { graph, plan } = (replicators[at] as (typeof replicators)[number]).replicator;
          const machines = question.settings.machines === 'one' ? ['machine'] : graph.nodes.map(({ name }) => name);
          const names = { processes: plan.roles.map(({ name }) => name), machines };
          return predictedCell(architecture, question.settings.rate, figures, names);
        });
        emit({ kind: 'cells', cells, done: round, rounds });
        await pause();
      }
      if ('cellsOnly' in question) return;
      const details: Details[] = [];
      for (const [at, cell] of cells.entries()) {
        const { replicator } = replicators[at] as (typeof replicators)[number];
        details.push(await detailsOf(cell, replicator, question, pause));
      }
      emit({ kind: 'details', details });
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      emit({ kind: 'failed', message: error.message, ...(error.hint !== undefined && { hint: error.hint }) });
    }
  }

  async #read(
    { texts, settings, overrides = {}, architectures, part = { from: 0, of: 1 } }: Asked,
    emit: (answer: Answer) => void,
  ) {
    const keyOf = (architecture: string): string =>
      JSON.stringify([texts, overrides, factorsOf(settings, architecture)]);
    const key = keyOf('none');
    if (this.#first?.key !== key) this.#first = { key, read: readGraph(texts, settings, 'none', overrides) };
    const first = this.#first.read;
    const routers = settings.routers ?? first.graph?.enforcement.routers ?? 3;
    const read: { architecture: string; replicator: Replicator }[] = [];
    const compared = architectures ?? comparedArchitectures(routers);
    const own = compared.filter((_, at) => at % part.of === part.from);
    for (const architecture of first.graph ? own : []) {
      const key = keyOf(architecture);
      const kept = this.#kept.get(key);
      const { graph } = kept ?? (architecture === 'none' ? first : readGraph(texts, settings, architecture, overrides));
      const replicator = kept ?? (graph && (await replicatorOf(graph)));
      if (!replicator) continue;
      this.#keep(key, replicator);
      read.push({ architecture, replicator });
    }
    const drawings = Object.fromEntries(
      read.map(({ architecture, replicator: { graph, plan } }) => [architecture, drawingOf(graph, plan)]),
    );
    emit({ kind: 'read', problems: first.problems, drawings, routers, compared });
    return read;
  }

  #keep(key: string, replicator: Replicator): void {
    this.#kept.delete(key);
    this.#kept.set(key, replicator);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
