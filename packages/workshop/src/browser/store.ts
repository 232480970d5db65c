/** The state of the page: the session, and what the worker has answered to it. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Details } from '../predict/details.ts';
import type { Drawing } from '../predict/drawing.ts';
import type { PredictedCell } from '../predict/predicted-cell.ts';
import type { PageProblem } from '../predict/read-topology.ts';
import type { Settings } from '../predict/settings.ts';
import type { Session } from './session.ts';
import type { Start } from './start.ts';

export interface PageState extends Session {
  /** What the figures follow from: that of the start, or a later one of this machine. */
  calibration: Calibration;
  /** By architecture; those of the last text without errors. */
  drawings: Record<string, Drawing>;
  problems: readonly PageProblem[];
  cells: readonly PredictedCell[];
  /** Those of the cells: a slider may have moved since. */
  asked: Settings;
  /** By architecture; undefined until the cells are complete. */
  details: readonly Details[] | undefined;
  /** Replications of the shown cells. */
  done: number;
  rounds: number;
  /** Number of routers of the compared architecture. */
  routers: number;
  /** Why the worker has no answer. */
  failure: string | undefined;
  /** Name of the selected service. */
  selected: string | undefined;
  /** Whether the server answers: Save, Prove, Decide and Calibrate need it. */
  alive: boolean;
}

export type Change = Partial<PageState>;
type Listener = (state: PageState, change: Change) => void;

export class Store {
  readonly #listeners: Listener[] = [];

  constructor(
    readonly start: Start,
    public state: PageState,
  ) {}

  set(change: Change): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener(this.state, change);
  }

  /** @param of fields that the listener reads; it is called at once, and when one of them changes */
  on(of: readonly (keyof PageState)[], listener: (state: PageState) => void): void {
    this.#listeners.push((state, change) => {
      if (of.some((name) => name in change)) listener(state);
    });
    listener(this.state);
  }
}

/** The part of the state that the address and an export contain. */
export function sessionIn(state: PageState): Session {
  const { topology, rules, settings, architecture, price, variants, notes, proofs } = state;
  return { topology, ...(rules !== undefined && { rules }), settings, architecture, price, variants, notes, proofs };
}
