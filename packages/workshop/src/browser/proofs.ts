/** Measurements in the session, and the question that each one answers: its texts and settings. */
import { hash32 } from '@topo-bench/core';
import type { PredictedCell } from '../predict/predicted-cell.ts';
import type { Texts } from '../predict/read-topology.ts';
import type { Settings } from '../predict/settings.ts';
import type { MeasuredCell } from './server-api.ts';

/** A measurement next to the prediction for the same machine. */
export interface Proof {
  measured: MeasuredCell;
  predicted: Pick<PredictedCell, 'state' | 'median' | 'p95'>;
  settings: Settings;
  /** Digest of the topology and its rules. */
  texts: string;
}

interface Asked extends Texts {
  settings: Settings;
}

/** In a link a digest is enough: equal texts have an equal one. */
export function textsDigest({ topology, rules = '' }: Texts): string {
  return [topology, rules].map((text) => `${text.length}-${hash32(text).toString(36)}`).join('.');
}

/** Whether the page asks now what was measured. */
export function isAsked({ settings, texts }: Proof, asked: Asked): boolean {
  return texts === textsDigest(asked) && keyOf(settings) === keyOf(asked.settings);
}

function keyOf(settings: Settings): string {
  return JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
