/**
 * The requests of a repetition. Each is a function of (seed, repetition, index) alone. Every architecture, driver
 * process and runner sends the same ones, and a check can generate them again.
 */
import type { GatewayRequest, RandomStream } from '@topo-bench/core';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import { payloadText } from './payload-text.ts';
import { streams } from './streams.ts';

/** Category of payload fields without personal data. */
const noCategory = 'none';

export interface RequestGeneratorOptions {
  /** At least one. */
  classes: readonly RequestClass[];
  seed: number;
  /** From 1. */
  repetition: number;
}

/** Returns a function from index in the schedule, from 0, to request. Ids are `r<repetition>-<index, min 6 digits>`. */
export function requestGenerator({
  classes,
  seed,
  repetition,
}: RequestGeneratorOptions): (index: number) => GatewayRequest {
  const templates = classes.map(classTemplate);
  const drawClass = weightedChoice(templates.map((template) => [template, template.weight]));
  const text = payloadText(seed, Math.max(0, ...templates.flatMap(({ fields }) => fields.map(([, bytes]) => bytes))));
  return (index) => {
    const random = streams.request(seed, repetition, index);
    const template = drawClass(random);
    return {
      id: requestId(repetition, index),
      class: template.name,
      origin: template.drawOrigin(random),
      categories: [...template.categories],
      consents: template.consents
        .filter(([, probability]) => random.uniform() < probability)
        .map(([consent]) => consent),
      purpose: template.purpose,
      payload: Object.fromEntries(template.fields.map(([field, bytes]) => [field, text(random, bytes)])),
      fieldCategories: { ...template.fieldCategories },
    };
  };
}

/** Id of a request, unique within a run. */
function requestId(repetition: number, index: number): string {
  return `r${repetition}-${String(index).padStart(6, '0')}`;
}

/** A class of requests, read once. */
export interface ClassTemplate {
  name: string;
  weight: number;
  /** Regions with their weights. */
  origins: (readonly [region: string, weight: number])[];
  drawOrigin: (random: RandomStream) => string;
  purpose: string;
  /** Consents with the probability that each was given. */
  consents: [consent: string, probability: number][];
  fields: [field: string, bytes: number][];
  categories: string[];
  fieldCategories: Record<string, string>;
}

export function classTemplate({ name, weight, origin, purpose, consents, payload }: RequestClass): ClassTemplate {
  const fields = Object.entries(payload);
  const categorised = fields.filter(([, { category }]) => category !== noCategory);
  const origins = typeof origin === 'string' ? [[origin, 1] as const] : Object.entries(origin);
  return {
    name,
    weight,
    origins,
    drawOrigin: typeof origin === 'string' ? () => origin : weightedChoice(origins),
    purpose,
    consents: Array.isArray(consents) ? consents.map((consent) => [consent, 1]) : Object.entries(consents),
    fields: fields.map(([field, { size }]) => [field, size]),
    categories: [...new Set(categorised.map(([, { category }]) => category))],
    fieldCategories: Object.fromEntries(categorised.map(([field, { category }]) => [field, category])),
  };
}

/** Draws an option with probability proportional to its weight, by inversion of the running sum. */
function weightedChoice<T>(options: readonly (readonly [T, number])[]): (random: RandomStream) => T {
  const total = options.reduce((sum, [, weight]) => sum + weight, 0);
  return (random) => {
    let rest = random.uniform() * total;
    const chosen = options.find(([, weight]) => {
      rest -= weight;
      return rest < 0;
    });
    // Rounding of the running sum can leave a small rest after the last option.
    return (chosen ?? (options.at(-1) as readonly [T, number]))[0];
  };
}
