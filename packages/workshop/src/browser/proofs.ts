/** Measurements in the session, and the question that each one answers: its texts and settings. */
import { hash32 } from '@topo-bench/core';
import type { Figure, PredictedCell } from '../predict/predicted-cell.ts';
import type { Texts } from '../predict/read-topology.ts';
import type { Settings } from '../predict/settings.ts';
import type { MeasuredCell } from './server-api.ts';
import type { Start } from './start.ts';

/** A measurement next to the prediction for the same machine. */
export interface Proof {
  measured: MeasuredCell;
  predicted: Pick<PredictedCell, 'state' | 'median' | 'p95'>;
  settings: Settings;
  /** Digest of the topology and its rules. */
  texts: string;
}

/** The setting of a measurement: all nodes share the cores of this machine. */
export function here({ calibration, hostCores }: Pick<Start, 'calibration' | 'hostCores'>, settings: Settings) {
  return { calibration, settings: { ...settings, machines: 'one' as const, cores: hostCores } };
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

/** Whether a link has every field that the page reads. */
export function isProof(given: Partial<Proof> | null | undefined): given is Proof {
  const { measured, predicted, settings, texts } = given ?? {};
  if (!isObject(measured) || !isObject(predicted) || !isObject(settings)) return false;
  const { architecture, folder, rate, repetitions, requests, at, invalid } = measured;
  return (
    [texts, architecture, folder, predicted.state].every((one) => typeof one === 'string') &&
    [rate, repetitions, requests, at].every(Number.isFinite) &&
    Array.isArray(invalid) &&
    [measured.median, measured.p95].every(isFigure) &&
    [predicted.median, predicted.p95].every((one) => one === undefined || isFigure(one))
  );
}

function isFigure(given: unknown): given is Figure {
  const { value, interval } = (given ?? {}) as Partial<Figure>;
  const ends: unknown[] | undefined = Array.isArray(interval) ? interval : undefined;
  return Number.isFinite(value) && (interval === undefined || (ends?.length === 2 && ends.every(Number.isFinite)));
}

function isObject<Given extends object>(given: Given | null | undefined): given is Given {
  return typeof given === 'object' && given !== null;
}
