import { describe, expect, it } from 'vitest';
import {
  describeCell,
  describeLevel,
  factorHeading,
  factorNamed,
  factorPath,
  factorTable,
  factorWords,
  shortFactorName,
} from '../src/factors.ts';

describe('names of factors', () => {
  it.each(Object.entries(factorTable))('find each other by short name and by path: %s', (name, { path = name }) => {
    const field = path.replace('[*]', '.items');
    expect(shortFactorName(field)).toBe(name);
    expect(factorNamed(field, ['seed', name])).toBe(name);
    expect(factorNamed(name, ['seed', field])).toBe(field);
    expect(factorPath(name)).toBe(path);
  });

  it('are paths where there is no short one, with or without the document', () => {
    expect(shortFactorName('load.driver')).toBe('load.driver');
    expect(factorPath('topology.deadlines.hop')).toBe('deadlines.hop');
    expect(shortFactorName('topology.enforcement.engine')).toBe('engine');
    expect(shortFactorName('services.items.persistence.pool')).toBe('services.items.persistence.pool');
    expect(factorPath('constructor')).toBe('constructor');
    expect(factorNamed('rate', ['services'])).toBeUndefined();
  });
});

describe('levels among other words', () => {
  it('carry the unit or the name of their factor', () => {
    const levels = { architecture: 'sidecar', services: 5, rate: 100, engine: 'compiled', 'load.driver': 'open' };
    const texts = Object.entries(levels).map(([name, level]) => describeLevel(name, level));
    expect(texts).toEqual(['sidecar', '5 services', '100 req/s', 'engine compiled', 'load driver open']);
    expect(describeLevel('services', 1)).toBe('1 service');
  });

  it('are those of the short name for a factor by path', () => {
    expect(describeLevel('load.rate', 80)).toBe('80 req/s');
    expect(describeLevel('topology.enforcement.routers', 2)).toBe('2 routers');
    expect(describeLevel('services.items.persistence.store', 'key-value')).toBe('store key-value');
    expect(factorHeading('load.rate')).toBe('req/s');
  });

  it('have no path where there is no short name', () => {
    expect(describeLevel('topology.deadlines.hop', '1s')).toBe('hop deadline 1s');
    expect(['topology.deadlines.request', 'services[0].persistence.pool', 'access.chunkRows'].map(factorWords)).toEqual(
      ['request deadline', 'persistence pool', 'access chunk rows'],
    );
  });

  it('stand in titles under the words of their factor', () => {
    const names = ['defaults.rules.generate', 'rulesPerService', 'rate', 'streamEngine', 'delay', 'batchRows'];
    expect(names.map(factorWords)).toEqual([
      'rules per service',
      'rules per service',
      'rate',
      'stream engine',
      'delay per link',
      'batch rows',
    ]);
  });

  it.each(Object.keys(factorTable))('are plain words for %s', (name) => {
    expect(factorWords(name)).toMatch(/^[a-z]+( [a-z]+)*$/);
  });

  it('stand below a heading with the unit', () => {
    expect(['rate', 'services', 'seed'].map(factorHeading)).toEqual(['req/s', 'services', 'seed']);
  });
});

it('cells are described with the usual factors first', () => {
  expect(describeCell({ style: 'nested', rate: 100, services: 5, architecture: 'sidecar' })).toBe(
    'sidecar · 5 services · 100 req/s · style nested',
  );
  expect(describeCell({})).toBe('');
});
