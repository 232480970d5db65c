import { describe, expect, it } from 'vitest';
import { architectureLevel, fieldsOfLevel, fieldsOfLevels } from '../src/factor-fields.ts';

describe('a factor', () => {
  it('architecture with a number of routers sets both', () => {
    expect(fieldsOfLevel('architecture', 'dynamic-router-6').topology).toEqual({
      'enforcement.architecture': 'dynamic-router',
      'enforcement.routers': 6,
    });
  });

  it('architecture without a number leaves the routers of the topology', () => {
    expect(fieldsOfLevel('architecture', 'sidecar').topology).toEqual({ 'enforcement.architecture': 'sidecar' });
  });

  it.each([
    ['rate', 500, { topology: {}, experiment: { 'load.rate': 500 } }],
    ['engine', 'compiled', { topology: { 'enforcement.engine': 'compiled' }, experiment: {} }],
    ['placement', 'blocks', { topology: { placement: 'blocks' }, experiment: {} }],
    ['topology.deadlines.hop', '1s', { topology: { 'deadlines.hop': '1s' }, experiment: {} }],
    ['load.connections', 10, { topology: {}, experiment: { 'load.connections': 10 } }],
  ])('%s reaches its field', (factor, level, fields) => {
    expect(fieldsOfLevel(factor, level)).toEqual(fields);
  });

  it('joins with the others of a cell', () => {
    expect(fieldsOfLevels({ architecture: 'none', services: 5, rate: 10 })).toEqual({
      topology: { 'enforcement.architecture': 'none', services: 5 },
      experiment: { 'load.rate': 10 },
    });
  });

  it('is written back as the level it was read from', () => {
    expect(architectureLevel('dynamic-router', 3)).toBe('dynamic-router-3');
    expect(architectureLevel('sidecar', 3)).toBe('sidecar');
  });
});
