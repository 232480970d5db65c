/**
 * Exposure: bytes of refused data that had already reached the node of their target. Data that a permitted step had put
 * there does not count.
 */
import type { GatewayRequest } from '@topo-bench/core/gateway-api';

/** Data that a target must not receive: the whole payload, or the values at these JSON pointers. */
export type Withheld = 'everything' | readonly string[];

/** A refusal of data on a node that the original data had reached before the decision. */
export interface Exposure {
  withheld: Withheld;
  /** Pointers that each copy lacks, for copies put on the node by earlier permitted steps. */
  permittedCopies: readonly (readonly string[])[];
}

/**
 * Exposed bytes by category of data. A value has the category of its payload field. Its size is the UTF-8 length of the
 * string, or of the JSON of other values. Only parts of withheld values that all permitted copies on the node lack are
 * counted. Fields without category do not count.
 */
export function exposureBytes(request: GatewayRequest, exposures: readonly Exposure[]): Record<string, number> {
  const bytes = new Map<string, number>();
  for (const { withheld, permittedCopies } of exposures) {
    const withheldPointers =
      withheld === 'everything' ? Object.keys(request.payload).map(fieldPointer) : outermost(withheld);
    for (const pointer of outermost(permittedCopies.reduce(missingInBoth, withheldPointers))) {
      const field = pointerSteps(pointer)[0] as string;
      const categories = request.fieldCategories ?? {};
      const size = valueBytes(valueAt(request.payload, pointer));
      if (size === 0 || !Object.hasOwn(categories, field)) continue;
      const category = categories[field] as string;
      bytes.set(category, (bytes.get(category) ?? 0) + size);
    }
  }
  // `fromEntries` defines own members: a category may be named `__proto__`.
  return Object.fromEntries(bytes);
}

/** The parts of the values at some pointers that a copy lacks too. */
function missingInBoth(missing: readonly string[], lacking: readonly string[]): string[] {
  return missing.flatMap((pointer) => {
    if (lacking.some((other) => isAtOrBelow(pointer, other))) return [pointer];
    return lacking.filter((other) => isAtOrBelow(other, pointer));
  });
}

function isAtOrBelow(pointer: string, upper: string): boolean {
  return pointer === upper || pointer.startsWith(`${upper}/`);
}

/** Removes pointers inside another one: data that is withheld twice is exposed once. */
function outermost(pointers: readonly string[]): string[] {
  return [...new Set(pointers)].filter((pointer) => !pointers.some((other) => pointer.startsWith(`${other}/`)));
}

function fieldPointer(field: string): string {
  return `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** RFC 6901, section 4. */
function pointerSteps(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Reads own members only, through `Object.entries`. */
function valueAt(payload: unknown, pointer: string): unknown {
  return pointerSteps(pointer).reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([name]) => name === step)?.[1];
  }, payload);
}

function valueBytes(value: unknown): number {
  if (value === undefined) return 0;
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}
