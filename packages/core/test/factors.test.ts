import { describe, expect, it } from 'vitest';
import { describeIncrease } from '../src/factor-increase.ts';
import {
  addFactors,
  describeCell,
  describeLevel,
  factorHeading,
  factorNamed,
  factorNames,
  factorPath,
  factorRow,
  factorWords,
  shortFactorName,
} from '../src/factors.ts';

describe('names of factors', () => {
  it.each(factorNames())('find each other by short name and by path: %s', (name) => {
    const { path = name } = factorRow(name) ?? {};
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
    expect(describeLevel('replicas', 'one')).toBe('replicas: one');
    expect(describeLevel('plan', 'tomorrow')).toBe('plan tomorrow');
    expect(describeLevel('topology.enforcement.routers', 2)).toBe('2 routers');
    expect(describeLevel('services.items.persistence.store', 'key-value')).toBe('store key-value');
    expect(factorHeading('load.rate')).toBe('req/s');
  });

  it('have no path where there is no short name', () => {
    expect(describeLevel('topology.deadlines.hop', '1s')).toBe('hop deadline 1s');
    expect(describeLevel('requests.classes.booking.payload.seats.size', '20KB')).toBe('seats of booking: 20KB');
    expect(describeLevel('topology.requests.classes.booking.origin', 'us')).toBe('origin of booking: us');
    expect(describeLevel('services.us-mail.rules.generate', 800)).toBe('rules of us-mail 800');
    expect(describeLevel('services.us-mail.persistence.pool', 5)).toBe('persistence pool of us-mail 5');
    expect(['services.mail.work', 'services.mail.responseSize', 'nodes.us-1.region'].map(factorWords)).toEqual([
      ...['work of mail', 'response size of mail', 'region of us-1'],
    ]);
    expect(describeLevel('requests.classes[0].payload.seats.size', '20KB')).toBe('seats size 20KB');
    expect(describeLevel('replicas', 2)).toBe('2 replicas');
    expect(describeLevel('enforcement.replicas', 1)).toBe('1 replica');
    expect(describeLevel('spread', 'sticky')).toBe('spread sticky');
    expect(['topology.deadlines.request', 'services[0].persistence.pool', 'access.chunkRows'].map(factorWords)).toEqual(
      ['request deadline', 'persistence pool', 'access chunk rows'],
    );
  });

  it('are steps in the unit of the file', () => {
    const size = 'requests.classes.booking.payload.seats.size';
    expect(describeIncrease(size, 198_000, 'bytes')).toBe('198 KB more seats of booking');
    expect(describeIncrease(size, 2e6, 'bytes')).toBe('2 MB more seats of booking');
    expect(describeIncrease(size, 64 * 1024, 'bytes')).toBe('64 KiB more seats of booking');
    expect(describeIncrease('services.mail.rules.generate', 800, 'count')).toBe('800 more rules of mail');
  });

  it('stand in titles under the words of their factor', () => {
    const names = ['defaults.rules.generate', 'rulesPerService', 'rate', 'delay', 'load.batchRows'];
    expect(names.map(factorWords)).toEqual([
      'rules per service',
      'rules per service',
      'rate',
      'delay per link',
      'load batch rows',
    ]);
  });

  it.each(factorNames())('are plain words for %s', (name) => {
    expect(factorWords(name)).toMatch(/^[a-z]+( [a-z]+)*$/);
  });

  it('are known once: two kinds of study cannot take one name, and none can take a common one', () => {
    addFactors({ ofTest: { scope: 'experiment', path: 'test.depth', unit: 'levels' } });
    expect(describeLevel('test.depth', 3)).toBe('3 levels');
    expect(factorPath('ofTest')).toBe('test.depth');
    for (const name of ['ofTest', 'rate'])
      expect(() => addFactors({ [name]: { scope: 'topology' } })).toThrow(`two factors have the short name "${name}"`);
    expect(factorPath('rate')).toBe('load.rate');
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
