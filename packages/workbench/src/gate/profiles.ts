/** `--profile`: which functions make the difference of a gate, from pairs of their own after the verdict. */
import {
  compareProfiles,
  type GateCell,
  type GateResult,
  isFailing,
  type ProfiledSide,
  profiledPairs,
} from '@topo-bench/comparison';
import { cellKey, type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import type { ProfilePlan } from '@topo-bench/experiment/side-by-side';
import { type MeasuredRepetition, type Sides, sideNames } from '@topo-bench/trial';

/** `failed`: only when the gate fails. */
export type ProfileWhen = 'failed' | 'always';

/** The verdict of what was measured. */
type Judge = (runs: Sides<RunFolder>) => GateResult;

/** After each profiled pair. */
export interface ProfiledEvent {
  kind: 'profiled';
  pairs: number;
  ofPairs: number;
}

const noProfile = 'none, since roles in containers and pods are not profiled, or a pair could not be measured';

export class GateProfiles {
  readonly #sides: Sides<ResolvedExperiment>;
  readonly #pairs: Sides<ProfiledSide>[] = [];
  #at: number | undefined;
  #measured = 0;
  #note: string | undefined;

  constructor(sides: Sides<ResolvedExperiment>) {
    this.#sides = sides;
  }

  plan(when: ProfileWhen, judge: Judge, onEvent: (event: ProfiledEvent) => void): ProfilePlan {
    return {
      pairs: profiledPairs,
      cellOf: (runs) => {
        this.#at = this.#cellToProfile(when, runs, judge);
        return this.#at;
      },
      onPair: (pair) => {
        const profiled = profiledPair(pair);
        this.#measured++;
        if (profiled) this.#pairs.push(profiled);
        onEvent({ kind: 'profiled', pairs: this.#measured, ofPairs: profiledPairs });
        const isPossible = this.#pairs.length > 0 || sideNames.some((side) => pair[side].profile !== undefined);
        if (!isPossible) this.#note = noProfile;
        return isPossible;
      },
      onFailure: (error) => {
        this.#note = `they ended early: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
      },
    };
  }

  /** The verdict with what the profiles show. */
  addedTo(result: GateResult): GateResult {
    const notes = [...result.notes, ...(this.#note === undefined ? [] : [`profiles: ${this.#note}`])];
    const cell = this.#at === undefined ? undefined : this.#sides.candidate.cells[this.#at];
    if (!cell || this.#pairs.length === 0) return { ...result, notes };
    return { ...result, notes, profile: { factors: cell.levels, ...compareProfiles(this.#pairs) } };
  }

  #cellToProfile(when: ProfileWhen, runs: Sides<RunFolder>, judge: Judge): number | undefined {
    const { cells } = this.#sides.candidate;
    let result: GateResult;
    try {
      result = judge(runs);
    } catch (error) {
      // The caller gets the same error as the outcome of the gate.
      if (error instanceof TopoBenchError) return undefined;
      throw error;
    }
    if (when === 'failed' && result.verdict !== 'failed') return undefined;
    if (runs.candidate.cells.filter(isFailing).length > runs.candidate.cells.length / 2) {
      this.#note = 'none, since the candidate fails its requests';
      return undefined;
    }
    const [most] = result.thresholds
      .filter(({ verdict }) => verdict === 'failed' || when === 'always')
      .flatMap((threshold) => threshold.cells)
      .sort((a, b) => rankOf(b) - rankOf(a));
    const at = most ? cells.findIndex(({ levels }) => cellKey(levels) === cellKey(most.factors)) : -1;
    return Math.max(0, at);
  }
}

/** Cells that fail first, then by the size of their change. */
function rankOf({ passed, differencePercent }: GateCell): number {
  const size = Number.isFinite(differencePercent) ? Math.abs(differencePercent) : 0;
  return (passed === false ? 1e9 : 0) + size;
}

function profiledPair(pair: Sides<MeasuredRepetition>): Sides<ProfiledSide> | undefined {
  const [baseline, candidate] = sideNames.map((side): ProfiledSide | undefined => {
    const { profile, entry } = pair[side];
    const { completed, refused, error } = entry.outcomes;
    const requests = completed + refused + error;
    return profile && requests > 0 ? { profile, requests } : undefined;
  });
  return baseline && candidate ? { baseline, candidate } : undefined;
}
