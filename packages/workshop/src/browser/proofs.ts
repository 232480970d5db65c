/** Measurements in the session, and the question that each one answers: its texts and settings. */
import { hash32 } from '@topo-bench/core';
import type { Answer } from '../predict/answer.ts';
import type { Figure, PredictedCell } from '../predict/predicted-cell.ts';
import type { Texts } from '../predict/read-topology.ts';
import type { Settings } from '../predict/settings.ts';
import { sentence } from './sentence.ts';
import type { MeasuredCell } from './server-api.ts';
import type { Start } from './start.ts';

/** The question of an answer. */
export interface Answered {
  settings: Settings;
  /** Digest of the topology and its rules. */
  texts: string;
}

/** A measurement next to the prediction for the same machine. */
export interface Proof extends Answered {
  measured: MeasuredCell;
  predicted: Partial<Pick<PredictedCell, 'state' | 'median' | 'p95'>> & {
    /** Why there is no prediction. */
    failure?: string;
  };
}

/** The setting of a measurement: all nodes share the cores of this machine. */
export function here({ calibration, hostCores }: Pick<Start, 'calibration' | 'hostCores'>, settings: Settings) {
  return { calibration, settings: { ...settings, machines: 'one' as const, cores: hostCores } };
}

interface Asked extends Texts {
  settings: Settings;
}

/** What is predicted of an architecture; undefined until the answers tell. */
export function predictedIn(answer: Answer, architecture: string): Proof['predicted'] | undefined {
  if (answer.kind === 'failed') return { failure: sentence(answer) };
  if (answer.kind === 'read' || (answer.kind === 'cells' && answer.done < answer.rounds)) return undefined;
  const cell = answer.kind === 'cells' && answer.cells.find((one) => one.architecture === architecture);
  if (!cell) return { failure: `${architecture} is not simulated for these texts` };
  const { state, median, p95 } = cell;
  return { state, ...(median && { median }), ...(p95 && { p95 }) };
}

/** What stands next to the measurement. */
export function predictedText({ state, failure }: Proof['predicted']): string {
  if (failure !== undefined) return `not simulated: ${failure}`;
  return state === 'stable' ? 'for this machine, before it was measured' : `for this machine: ${state}, no time stated`;
}

/** In a link a digest is enough: equal texts have an equal one. */
export function textsDigest({ topology, rules = '' }: Texts): string {
  return [topology, rules].map((text) => `${text.length}-${hash32(text).toString(36)}`).join('.');
}

/** Whether the page asks now what was answered. */
export function isAsked({ settings, texts }: Answered, asked: Asked): boolean {
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
    [texts, architecture, folder, predicted.failure ?? predicted.state].every((one) => typeof one === 'string') &&
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
