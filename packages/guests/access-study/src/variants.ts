/** What the variants consist of, and their letters in the published study. */
import type { Access, AccessVariant } from './settings-schema.ts';

/** Where a connector and its Flight server run. */
export type Place = 'process' | 'container' | 'pod';

export interface VariantParts {
  /** Letter of the published study; child processes and E are not part of it. */
  letter: string;
  /** In a sentence. */
  title: string;
  /** Absent where the client reads by itself. */
  place?: Place;
  /** A program reads rows with the driver of the store, and sends JSON lines. */
  connector: boolean;
  /** Record batches reach the client over Arrow Flight. */
  flight: boolean;
}

export const variantParts: Readonly<Record<AccessVariant, VariantParts>> = {
  native: { letter: 'A', title: 'the native driver', connector: false, flight: false },
  'connector-process': connectorIn('process', 'B'),
  'connector-container': connectorIn('container', 'B'),
  'connector-pod': connectorIn('pod', 'C'),
  'flight-process': flightIn('process', 'connector and Flight server in processes'),
  'flight-container': flightIn('container', 'connector and Flight server in containers'),
  'flight-pod': flightIn('pod', 'connector and Flight server in pods'),
  columnar: { letter: 'E', title: 'the columnar path', connector: false, flight: false },
  'columnar-process': columnsIn('process'),
  'columnar-container': columnsIn('container'),
  'columnar-pod': columnsIn('pod'),
};

function connectorIn(place: Place, letter: string): VariantParts {
  return { letter, title: `the connector in a ${place}`, place, connector: true, flight: false };
}

function flightIn(place: Place, title: string): VariantParts {
  return { letter: 'D', title, place, connector: true, flight: true };
}

function columnsIn(place: Place): VariantParts {
  return { letter: 'E', title: `columns over Flight from a ${place}`, place, connector: false, flight: true };
}

/** `native (A)` */
export function variantName(variant: string): string {
  const parts = (variantParts as Readonly<Record<string, VariantParts | undefined>>)[variant];
  return parts ? `${variant} (${parts.letter})` : variant;
}

/** Programs next to the client. */
export function programsOf(variant: AccessVariant): number {
  const { place, connector, flight } = variantParts[variant];
  return place === undefined ? 0 : Number(connector) + Number(flight);
}

/** Whether a variant has that option of `access`. */
export function hasOption(variant: AccessVariant, option: keyof Access): boolean {
  const { place, connector, flight } = variantParts[variant];
  if (option === 'connections') return variant.startsWith('columnar');
  if (option === 'cachedDiscovery') return connector;
  if (option === 'compression') return flight;
  if (option === 'warm') return place !== undefined;
  return true;
}
