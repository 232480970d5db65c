import { storeRequests } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';
import { first, mixed } from '../../packages/workload/test/fixtures/mixed-workload.ts';
import { driverNamed, launcherNamed } from '../src/index.ts';
import { builtWorker } from './fixtures/built-worker.ts';
import { jobFor, serve } from './fixtures/server.ts';

const worker = builtWorker();

describe('reads and writes of a store', () => {
  it.for(['autocannon', 'open'] as const)(
    'leave the %s driver with their own method, path, facts and body, and keep answers',
    async (name) => {
      const seen: string[] = [];
      const url = await serve((response, body, { method, url: path, headers }) => {
        const facts = ['class', 'origin', 'purpose', 'consents'].map((fact) => headers[`x-topo-${fact}`]);
        seen.push(`${method} ${path} ${headers['x-topo-token']} ${facts.join()} ${body}`);
        response.setHeader('x-topo-enforcement', `decided ${path}`);
        response.end(`{"of":"${path}"}`);
      });
      const request = {
        kind: 'store',
        workload: mixed,
        headers: { 'x-topo-token': 't' },
        keepResponses: true,
      } as const;
      const job = jobFor(url, { request, arrivals: 'constant', connections: 1, processes: 1 });
      const launcher = launcherNamed('processes', { workerPath: worker.path });
      const driver = name === 'open' ? driverNamed('open', launcher) : driverNamed('autocannon', launcher);
      const load = await driver.run({ ...job, seed: 1 });
      const { sent } = load;
      const wanted = first(sent, mixed).map(({ method, path, body = '', facts }) => {
        const { class: kind, origin, purpose, consents } = facts;
        return `${method} ${path} t ${[kind, origin, purpose, consents.length > 0 ? consents.join() : undefined].join()} ${body}`;
      });
      const generate = storeRequests(mixed, 1, 1);
      const kept = Array.from(load.samples.index, (_, row) => Buffer.from(load.body(row) ?? []).toString());
      expect(kept).toEqual(
        Array.from(load.samples.index, (index) => `decided ${generate(index).path}\n{"of":"${generate(index).path}"}`),
      );
      expect(sent).toBeGreaterThan(10);
      // In order of sending on one connection; the open model has several.
      const inOrder = (lines: string[]): string[] => (name === 'open' ? lines.sort() : lines);
      inOrder(seen);
      const different = inOrder(wanted).flatMap((line, i) =>
        seen[i] === line ? [] : [`${line}\n  came as ${seen[i]}`],
      );
      expect(different.slice(0, 1)).toEqual([]);
      expect(seen).toHaveLength(sent);
    },
  );
});
