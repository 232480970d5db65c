/** Measurements in the session, and the question that each one answers: its texts and settings. */
import { hash32 } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Price } from '@topo-bench/report';
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
    /** Whether the intervals have the error of the calibration. */
    withError?: boolean;
  };
}

/** The setting of a measurement: all nodes share the cores of this machine. */
export function here({ calibration, hostCores }: Pick<Start, 'calibration' | 'hostCores'>, settings: Settings) {
  return { calibration, settings: { ...settings, machines: 'one' as const, cores: hostCores } };
}

interface Asked extends Texts {
  settings: Settings;
}

/**
 * What is predicted of an architecture, by the last answer to a question.
 * @param cells of the answer before it
 */
export function predictedIn(
  answer: Extract<Answer, { kind: 'failed' | 'details' }>,
  cells: readonly PredictedCell[],
  architecture: string,
): Proof['predicted'] {
  if (answer.kind === 'failed') return { failure: sentence(answer) };
  const cell = cells.find((one) => one.architecture === architecture);
  if (!cell) return { failure: `${architecture} is not simulated for these texts` };
  const { state, median, p95 } = cell;
  const { uncertainty } = answer.details.find((one) => one.architecture === architecture) ?? {};
  if (!median || !p95) return { state };
  if (!uncertainty) return { state, median, p95 };
  const [within, within95] = [uncertainty.medianUs, uncertainty.p95Us];
  return {
    ...{ state, withError: true },
    ...{ median: { ...median, interval: within }, p95: { ...p95, interval: within95 } },
  };
}

/** What stands next to the measurement. */
export function predictedText({ state, failure, withError }: Proof['predicted']): string {
  if (failure !== undefined) return `not simulated: ${failure}`;
  if (state !== 'stable') return `for this machine: ${state}, no time stated`;
  return `for this machine, before it was measured${withError ? '; 90% intervals with the error of the calibration' : ''}`;
}

/** In a link a digest is enough: equal texts have an equal one. */
export function textsDigest({ topology, rules = '' }: Texts): string {
  return [topology, rules].map((text) => `${text.length}-${hash32(text).toString(36)}`).join('.');
}

/** Whether the page asks now what was answered. */
export function isAsked({ settings, texts }: Answered, asked: Asked): boolean {
  return texts === textsDigest(asked) && keyOf(settings) === keyOf(asked.settings);
}

/** What a decision follows from. */
export interface Decided extends Answered {
  price: Price;
  notes: string;
  calibration: Calibration;
}

/** What of the page is no longer as it was decided. A decision is for one machine, so it has no cores of its own. */
export function changedSince(decided: Decided, now: Asked & Omit<Decided, 'texts'>): string[] {
  const { settings, texts, price, notes, calibration } = decided;
  const { machines, cores } = settings;
  const changes = {
    settings: keyOf(settings) !== keyOf({ ...now.settings, machines, cores }),
    texts: texts !== textsDigest(now),
    price: price.perCoreHour !== now.price.perCoreHour || price.currency !== now.price.currency,
    notes: notes !== now.notes,
    calibration: calibration !== now.calibration,
  };
  return Object.entries(changes).flatMap(([name, isChanged]) => (isChanged ? [name] : []));
}

function keyOf(settings: Settings): string {
  return JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a link has every field that the page reads. */
export function isProof(given: Partial<Proof> | null | undefined): given is Proof {
  const { measured, predicted, settings, texts } = given ?? {};
  if (!isObject(measured) || !isObject(predicted) || !isObject(settings)) return false;
  const { architecture, folder, rate, repetitions, requests, at, invalid, flags } = measured;
  return (
    [texts, architecture, folder, predicted.failure ?? predicted.state].every((one) => typeof one === 'string') &&
    [rate, repetitions, requests, at].every(Number.isFinite) &&
    [invalid, flags].every(Array.isArray) &&
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
