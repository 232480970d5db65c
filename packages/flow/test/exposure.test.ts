import { describe, expect, it } from 'vitest';
import { addBytes, addExposure, mergeCopies, type PlacedCopies, placeCopy, type Withheld } from '../src/exposure.ts';

const payload = { name: 'Zoë', card: { number: '4000', cvc: 123 }, note: 'plain' };
const categories = { name: 'personal', card: 'payment' };
const exposed = (withheld: Withheld, copies: string[][] = []): Record<string, number> => {
  const bytes = {};
  addExposure(bytes, payload, categories, withheld, copies);
  return bytes;
};

describe('exposure of a decision', () => {
  it('counts UTF-8 bytes of texts and the JSON of the rest, by the category of the field', () => {
    expect(exposed('everything')).toEqual({ personal: 4, payment: '{"number":"4000","cvc":123}'.length });
    expect(exposed(['/card/number', '/card/cvc', '/name'])).toEqual({ personal: 4, payment: 7 });
  });

  it('does not count fields without category, pointers that lead nowhere, or a value twice', () => {
    expect(exposed(['/note', '/missing', '/card/number/deeper'])).toEqual({});
    expect(exposed(['/card', '/card/cvc', '/card'])).toEqual({ payment: 27 });
  });

  it('does not count what a permitted copy has put there before', () => {
    expect(exposed('everything', [[]])).toEqual({});
    expect(exposed('everything', [['/name']])).toEqual({ personal: 4 });
    expect(exposed('everything', [['/name'], ['/card']])).toEqual({});
    expect(exposed(['/name'], [['/card']])).toEqual({});
    expect(exposed(['/card/number'], [['/card']])).toEqual({ payment: 4 });
  });

  it('counts the members of all permitted copies together', () => {
    // The pointer leads nowhere: the copy is complete.
    expect(exposed('everything', [['/name/deeper']])).toEqual({});
    expect(exposed('everything', [['/card/cvc']])).toEqual({ payment: 3 });
    expect(exposed(['/card'], [['/card/cvc', '/card/number']])).toEqual({ payment: 7 });
    expect(exposed(['/card'], [['/card/cvc', '/card/number'], ['/card/number']])).toEqual({ payment: 4 });
    expect(exposed(['/card/number', '/card/cvc'], [['/card/cvc', '/name'], ['/card']])).toEqual({ payment: 3 });
  });

  it('does not count the length of a list', () => {
    const bytes = {};
    addExposure(bytes, { list: [1, 2] }, { list: 'personal' }, ['/list/length', '/list/1'], []);
    expect(bytes).toEqual({ personal: 1 });
  });

  it('finds categories and fields by the names of the prototype', () => {
    const bytes: Record<string, number> = {};
    const odd = JSON.parse('{"__proto__":"abc","constructor":"de"}') as Record<string, unknown>;
    const named = JSON.parse('{"__proto__":"constructor","constructor":"__proto__"}') as Record<string, string>;
    addExposure(bytes, odd, named, 'everything', []);
    addExposure(bytes, odd, named, ['/constructor'], []);
    addExposure(bytes, { toString: 'x' }, {}, 'everything', []);
    expect(JSON.stringify(bytes)).toBe('{"constructor":3,"__proto__":4}');
    const merged = {} as Record<string, number>;
    for (const [category, added] of Object.entries(bytes)) addBytes(merged, category, added);
    expect(JSON.stringify(merged)).toBe(JSON.stringify(bytes));
  });

  it('adds to what was counted before', () => {
    const bytes = { personal: 10 };
    addExposure(bytes, payload, categories, ['/name'], []);
    expect(bytes).toEqual({ personal: 14 });
  });
});

describe('copies on a node', () => {
  it('are kept only as long as they add something', () => {
    const placed: PlacedCopies = {};
    placeCopy(placed, 1, ['/a', '/b']);
    placeCopy(placed, 1, ['/a', '/b', '/c']);
    expect(placed).toEqual({ 1: [['/a', '/b']] });
    placeCopy(placed, 1, ['/c']);
    mergeCopies(placed, { 2: [['/x']], 1: [[]] });
    placeCopy(placed, 1, ['/z']);
    expect(placed).toEqual({ 1: [[]], 2: [['/x']] });
  });
});
