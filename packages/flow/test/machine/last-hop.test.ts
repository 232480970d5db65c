import { describe, expect, it } from 'vitest';
import { lastHop } from '../../src/index.ts';

describe('the last hop of a lost flow', () => {
  const seen = (entries: [string, number, string?][]): string | undefined =>
    lastHop(new Map(entries.map(([role, step, acknowledgedBy]) => [role, { id: 'x', step, acknowledgedBy }])));

  it('is the end of the chain of acknowledgements at the latest step', () => {
    expect(seen([])).toBeUndefined();
    expect(seen([['gateway', 0, 'r1']])).toBe('r1');
    expect(
      seen([
        ['gateway', 0, 'r1'],
        ['r1', 2, 'r2'],
      ]),
    ).toBe('r2');
    expect(
      seen([
        ['gateway', 0, 'r1'],
        ['r1', 2, 'r2'],
        ['r2', 2],
        ['s1', 0],
      ]),
    ).toBe('r2');
    expect(
      seen([
        ['r1', 2, 'r2'],
        ['r2', 2, 's3'],
      ]),
    ).toBe('s3');
  });

  it('is found in cyclic chains too', () => {
    expect(['r1', 'r2']).toContain(
      seen([
        ['r1', 2, 'r2'],
        ['r2', 2, 'r1'],
      ]),
    );
  });
});
