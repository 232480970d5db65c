/**
 * Exposure: bytes of refused data that had already reached the node of the service that must not get them, although
 * nothing permitted had put them there.
 */
import type { GatewayRequest } from '@topo-bench/core';

/** What a target must not get: the whole payload, or the values at these JSON pointers. */
export type Withheld = 'everything' | readonly string[];

/** A refusal of data on a node that the original data had reached before the decision. */
export interface Exposure {
  withheld: Withheld;
  /** For each copy that an earlier permitted step had put on the node: the pointers whose values that copy lacks. */
  permittedCopies: readonly (readonly string[])[];
}

/**
 * Bytes by category of data. A value has the category of the payload field that it is in, and counts with the UTF-8 bytes of
 * its text, or of its JSON when it is no text. Fields without category do not count.
 */
export function exposureBytes(request: GatewayRequest, exposures: readonly Exposure[]): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const { withheld, permittedCopies } of exposures) {
    for (const pointer of withheld === 'everything' ? Object.keys(request.payload).map(fieldPointer) : outermost(withheld)) {
      const category = request.fieldCategories?.[pointerSteps(pointer)[0] ?? ''];
      if (!category || permittedCopies.some((lacking) => !lacking.some((other) => overlap(other, pointer)))) continue;
      const size = valueBytes(valueAt(request.payload, pointer));
      if (size > 0) bytes[category] = (bytes[category] ?? 0) + size;
    }
  }
  return bytes;
}

/** Without those that lie inside another: what is withheld twice is exposed once. */
function outermost(pointers: readonly string[]): string[] {
  return [...new Set(pointers)].filter((pointer) => !pointers.some((other) => pointer.startsWith(`${other}/`)));
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function fieldPointer(field: string): string {
  return `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** RFC 6901, section 4. */
function pointerSteps(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(payload: unknown, pointer: string): unknown {
  let value = payload;
  for (const step of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function valueBytes(value: unknown): number {
  if (value === undefined) return 0;
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}
