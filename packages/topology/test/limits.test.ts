import { describe, expect, it } from 'vitest';
import { loadTopology } from '../src/load-topology.ts';

const load = (topology: string, factors: Readonly<Record<string, number | string>> = {}) =>
  loadTopology({
    topology: { text: `apiVersion: topo-bench/v1\nkind: Topology\nname: x\n${topology}`, file: 't.yaml' },
    overrides: { factors },
  });
const problemsOf = (topology: string) =>
  load(topology).problems.map(({ line, column, message }) => `${line - 3}:${column} ${message}`);

const limited = `
gateway: { limits: { cpus: 2 } }
enforcement: { architecture: sidecar, limits: { memory: 128MiB } }
defaults: { limits: { cpus: 0.5, memory: 256MiB } }
services: [{ name: a }, { name: b, limits: { cpus: 1.5 } }, { name: c, limits: {} }, { generate: 2 }]
`;

describe('limits', () => {
  it('are those of the service or of `defaults`, of the gateway, and of the enforcement points', () => {
    const { graph, problems } = load(limited);
    expect(problems).toEqual([]);
    const defaults = { cpus: 0.5, memoryBytes: 268_435_456 };
    expect(graph?.services.map(({ limits }) => limits)).toEqual([
      defaults,
      { cpus: 1.5 },
      undefined,
      defaults,
      defaults,
    ]);
    expect(graph?.gateway).toEqual({ limits: { cpus: 2 } });
    expect(graph?.enforcement.limits).toEqual({ memoryBytes: 134_217_728 });
  });

  it('are absent where the file has none', () => {
    const { graph } = load('services: [{ generate: 2 }]\nenforcement: { limits: {} }\n');
    expect(graph?.services.map((service) => 'limits' in service)).toEqual([false, false]);
    expect(graph?.gateway).toEqual({});
    expect(graph?.enforcement).not.toHaveProperty('limits');
  });

  it('are not for a service that topo-bench does not start', () => {
    const url = 'http://127.0.0.1:8080/';
    expect(problemsOf(`services: [{ name: a, url: "${url}", limits: { cpus: 1 } }]\n`)).toEqual([
      '1:62 limits of "a": topo-bench does not start it',
    ]);
    const { graph } = load(`defaults: { limits: { cpus: 1 } }\nservices: [{ name: a, url: "${url}" }]\n`);
    expect(graph?.services[0]).not.toHaveProperty('limits');
  });

  it('can be a factor of an experiment', () => {
    const { graph } = load('services: [{ generate: 1 }]\n', {
      'defaults.limits.cpus': 0.25,
      'gateway.limits.memory': '1GiB',
    });
    expect(graph?.services[0]?.limits).toEqual({ cpus: 0.25 });
    expect(graph?.gateway.limits).toEqual({ memoryBytes: 1_073_741_824 });
  });

  it.each([
    ['no CPU time', 'cpus: 0', /cpus/],
    ['less CPU time than engines accept', 'cpus: 0.001', /0\.01/],
    ['more cores than any machine has', 'cpus: 2000', /1024/],
    ['too little memory for a process', 'memory: 8MiB', /expected at least 32MiB, e\.g\. 256MiB/],
    ['memory without its unit', 'memory: 256', /not a size/],
    ['an unknown field', 'cpu: 1', /cpu/],
  ])('of %s are rejected at their place', (_, field, message) => {
    const [problem, ...others] = problemsOf(`services:\n  - name: a\n    limits: { ${field} }\n`);
    expect(problem).toMatch(/^3:/);
    expect(problem).toMatch(message);
    expect(others).toEqual([]);
  });
});
