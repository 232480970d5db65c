/** Fields of `load` that its driver does not use: the load would be another one than the file describes. */
import { factorPath, type Problem } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { Choices } from '../choices.ts';
import { levelFields } from '../named-levels.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

/** `inFlightCap` is no such field: roles and gateway have it with every driver. */
const unusedFields = {
  open: ['connections'],
  autocannon: ['rate', 'arrivals'],
  flight: ['rate', 'arrivals', 'connections'],
} as const satisfies Record<DriverName, readonly string[]>;
const fields = unusedFields.flight;

const ways: Readonly<Record<DriverName, string>> = {
  open: 'connections are those of a closed model: set load.driver to autocannon, or remove it',
  autocannon: 'a closed model has no schedule: set load.driver to open, or remove it',
  flight: 'the field `flight` describes a bulk transfer: remove it',
};

export function checkDriverFields(
  { document, source, experiment }: ParsedExperiment,
  { set = {} }: Choices,
): Problem[] {
  if (!experiment) return [];
  const { load = {}, factors = {} } = document as {
    load?: Readonly<Record<string, unknown>>;
    factors?: unknown;
  };
  const varied = levelFields(factors);
  const factorOf = (field: string): string | undefined =>
    varied.find((one) => factorPath(one.field) === `load.${field}`)?.factor;
  const isChosen = (field: string): boolean => Object.keys(set).some((name) => factorPath(name) === `load.${field}`);
  const levels = varied.filter((one) => factorPath(one.field) === 'load.driver').map(({ value }) => value);
  const drivers = (levels.length > 0 ? levels : [experiment.load.driver]) as DriverName[];
  return fields.flatMap((field) => {
    const factor = factorOf(field);
    if (factor === undefined && !(field in load)) return [];
    const [driver] = drivers;
    const isUnused = (one: DriverName): boolean =>
      (unusedFields[one] as readonly string[] | undefined)?.includes(field) ?? false;
    if (driver === undefined || !drivers.every(isUnused)) return [];
    return [
      {
        ...source.locate(factor === undefined ? ['load', field] : ['factors', factor]),
        code: 'TB_EXPERIMENT_UNUSED_FIELD' as const,
        message: `load.${field}: the driver ${driver} does not use it`,
        hint: ways[driver],
        // A file cannot be without the field for one call with another driver.
        ...(isChosen('driver') && !isChosen(field) && { severity: 'warning' as const }),
      },
    ];
  });
}
