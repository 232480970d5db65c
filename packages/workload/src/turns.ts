/**
 * Servers that take turns under load. Each gets the whole schedule for itself, cut into slices, so disturbances of the
 * host affect all alike. The order of turns is drawn for two rounds of slices at a time, and the second is reversed. No
 * server always follows another, and linear drift cancels out.
 */
import { shuffled } from '@topo-bench/core';
import { streams } from './streams.ts';

export interface TurnLengths {
  /** Length of a turn's load. */
  sliceUs: number;
  /** Pause after each slice, in which requests in flight finish. */
  gapUs: number;
}

/** Length of one turn: the slice and the pause after it. */
export function turnUs({ sliceUs, gapUs }: TurnLengths): number {
  return sliceUs + gapUs;
}

/** Length of a load in which each server is under load for `ownUs`, in whole slices. */
export function durationInTurnsUs(ownUs: number, servers: number, turns: TurnLengths): number {
  return Math.ceil(ownUs / turns.sliceUs) * servers * turnUs(turns);
}

/** The time that each server is under load in a load of this length: the inverse of `durationInTurnsUs`. */
export function ownDurationUs(durationUs: number, servers: number, turns: TurnLengths): number {
  return Math.round(durationUs / (servers * turnUs(turns))) * turns.sliceUs;
}

/** Servers in the order of their turns, by index of the slice: a function of seed and repetition. */
export function turnOrder(seed: number, repetition: number, servers: number): (slice: number) => readonly number[] {
  const inOrder = Array.from({ length: servers }, (_, server) => server);
  return (slice) => {
    const drawn = shuffled(inOrder, streams.turns(seed, repetition, Math.floor(slice / 2)));
    return slice % 2 === 0 ? drawn : drawn.reverse();
  };
}
