import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import { describe, expect, it } from 'vitest';
import { loadJob, loadOf, type PlainRequest, parseTarget } from '../src/load-job.ts';

const request: PlainRequest = { kind: 'plain', method: 'GET', headers: [] };

it.each(['unix:/run/a.sock', 'unix:///run/a.sock', 'http://unix:/run/a.sock:/', 'http+unix://%2Frun%2Fa.sock/'])(
  'the address %s is refused as that of a Unix domain socket',
  (url) => {
    expect(() => parseTarget(url)).toThrow('the URL is that of a Unix domain socket');
  },
);

it('a host with the name unix is none', () => {
  expect(parseTarget('http://unix:8080/run').host).toBe('unix:8080');
});

describe('a load job', () => {
  it('has defaults for missing and undefined fields', () => {
    const job = loadJob({ urls: ['http://a/'], request, rateRps: undefined, seed: 9 });
    expect(job).toMatchObject({
      seed: 9,
      repetition: 1,
      rateRps: 100,
      connections: 10,
      inFlightCap: 8000,
      keepAwake: true,
    });
    expect(job).not.toHaveProperty('processes');
  });

  it('has every load field of an experiment file', () => {
    const load = {
      driver: 'open',
      arrivals: 'poisson',
      rate: 7,
      connections: 3,
      inFlightCap: 5,
      keepAwake: false,
      processes: 2,
      generators: 9,
    };
    const settings = { load, seed: 4, duration: 11, drain: 12 } as unknown as ExperimentFile;
    expect(loadJob({ ...loadOf(settings), urls: ['http://a/'], request })).toEqual({
      urls: ['http://a/'],
      request,
      seed: 4,
      repetition: 1,
      durationUs: 11,
      drainUs: 12,
      arrivals: 'poisson',
      rateRps: 7,
      connections: 3,
      inFlightCap: 5,
      keepAwake: false,
      processes: 2,
      generators: 9,
    });
  });
});
