/**
 * Parsers of the driver for the types that its defaults would change: `Date` has no microseconds and reads times
 * without a zone in the zone of the machine, and JSON loses the text of its numbers. They stay text. All other types
 * have the driver's own parsers.
 */
import pg from 'pg';
import { elementTypes } from './types.ts';

const asText: ReadonlySet<number> = new Set([114, 1082, 1114, 1184, 3802]);
/** `text[]`: its parser leaves each element as text. */
const textArrayId = 1009;

/** Elements of arrays that the driver does not parse as such (`char`, `name`), or that stay text. */
const textElements: ReadonlySet<number> = new Set([...asText, 18, 19, 20, 1083, 1700, 2950]);

function parserId(typeId: number, format: 'text' | 'binary'): number {
  const element = elementTypes[typeId];
  if (format === 'binary' || element === undefined) return typeId;
  return textElements.has(element) ? textArrayId : typeId;
}

const keepText = (value: string): string => value;

export const driverTypes: pg.CustomTypesConfig = {
  getTypeParser: ((typeId: number, format: 'text' | 'binary' = 'text') =>
    asText.has(typeId)
      ? keepText
      : pg.types.getTypeParser(parserId(typeId, format), format)) as pg.CustomTypesConfig['getTypeParser'],
};
