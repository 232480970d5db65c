import { describe, expect, it } from 'vitest';
import { addExposure, mergeCopies, type PlacedCopies, placeCopy, type Withheld } from '../../src/executor/exposure.ts';

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
