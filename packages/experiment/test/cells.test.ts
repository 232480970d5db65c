import { cellKey } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { factorialCells, narrowCells } from '../src/cells.ts';

const cells = factorialCells({ architecture: ['none', 'sidecar'], services: [5, 10], rate: [100] });

describe('cells', () => {
  it('are every combination of levels, the last factor varying fastest', () => {
    expect(cells).toEqual([
      { architecture: 'none', services: 5, rate: 100 },
      { architecture: 'none', services: 10, rate: 100 },
      { architecture: 'sidecar', services: 5, rate: 100 },
      { architecture: 'sidecar', services: 10, rate: 100 },
    ]);
  });

  it('without factors are one cell', () => {
    expect(factorialCells({})).toEqual([{}]);
  });

  it('are narrowed to the selected levels, compared as text', () => {
    expect(narrowCells(cells, { services: ['5'], architecture: ['sidecar', 'none'] })).toEqual([cells[0], cells[2]]);
  });

  it('are narrowed by the short name of a factor or by its path, whichever the file has', () => {
    const byPath = factorialCells({
      'services.items.persistence.store': ['sql-indexed', 'document'],
      'load.connections': [1, 10],
    });
    expect(narrowCells(byPath, { store: ['document'], connections: ['10'] })).toEqual([byPath[3]]);
    const byName = factorialCells({ store: ['sql-indexed', 'document'], workload: ['mixed'] });
    const only = { 'services.items.persistence.store': ['document'], 'persistence.workload': ['mixed'] };
    expect(narrowCells(byName, only)).toEqual([byName[1]]);
  });

  it('reject an unknown level and name the known ones', () => {
    expect(() => narrowCells(cells, { architecture: ['sidecars'] })).toThrow(
      expect.objectContaining({ code: 'TB_EXPERIMENT_UNKNOWN_LEVEL', hint: 'levels of architecture: none, sidecar' }),
    );
  });

  it('name the way to choose levels of two factors', () => {
    expect(() => narrowCells(cells, { architecture: ['none', 'services=5'] })).toThrow(
      expect.objectContaining({ hint: 'another factor has a flag of its own: --only services=5' }),
    );
  });

  it('reject a factor that does not vary', () => {
    expect(() => narrowCells(cells, { engine: ['compiled'] })).toThrow(
      expect.objectContaining({
        code: 'TB_EXPERIMENT_UNKNOWN_LEVEL',
        hint: expect.stringContaining('architecture, services, rate'),
      }),
    );
  });

  it('have a key that depends on levels, not on the order of factors', () => {
    expect(cellKey({ a: 1, b: 2 })).toBe(cellKey({ b: 2, a: 1 }));
    expect(cellKey({ a: 1 })).not.toBe(cellKey({ a: '1' }));
  });
});
