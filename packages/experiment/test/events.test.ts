import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import type { ExperimentInputs } from '../src/read-inputs.ts';
import { checkExperiment, resolveExperiment } from '../src/resolve-experiment.ts';

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: chain
nodes: [{ name: a, region: eu }, { name: b, region: us }]
services: [{ generate: 4 }]
`;

function inputs(fields: string, services = topology): ExperimentInputs {
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n${fields}`;
  const files = { experiment: { file: 'test.yaml', text }, topology: { file: 'chain.yaml', text: services } };
  return { ...files, choices: {} };
}

const cellsOf = (fields: string) => resolveExperiment(inputs(fields), studies).cells;
const problems = (fields: string, services?: string) =>
  checkExperiment(inputs(fields, services), studies).problems.map(({ line, column, code, message, hint }) => {
    return { place: `${line}:${column}`, code, message, hint };
  });

describe('events of an experiment', () => {
  it('are times in µs, from a list of maps or from one line', () => {
    const list = `events:
  - { at: 2s, crash: router-1, restart: 1s }
  - { at: 4s, crash: svc-2, restart: never }
  - { at: 5s, freeze: points, for: 500ms }`;
    const line = 'events: 2s crash router-1 restart 1s; 4s crash svc-2 restart never; 5s freeze points for 500ms';
    const architecture = 'set: { enforcement.architecture: dynamic-router, enforcement.routers: 2 }';
    const expected = [
      { at: 2e6, crash: 'router-1', restart: 1e6 },
      { at: 4e6, crash: 'svc-2', restart: 'never' },
      { at: 5e6, freeze: 'points', for: 5e5 },
    ];
    expect(cellsOf(`${architecture}\n${list}`)[0]?.settings.events).toEqual(expected);
    expect(cellsOf(`${architecture}\n${line}`)[0]?.settings.events).toEqual(expected);
  });

  it('are a factor as a whole, and each field by its path', () => {
    const whole = cellsOf('factors: { events: [none, 2s crash point of svc-3 restart 1s] }');
    expect(whole.map(({ settings }) => settings.events.length)).toEqual([0, 1]);
    const field = cellsOf(
      'events: [{ at: 2s, crash: svc-1, restart: 1s }]\nfactors: { "events[0].restart": [500ms, never] }',
    );
    expect(field.map(({ settings }) => settings.events)).toEqual([
      [{ at: 2e6, crash: 'svc-1', restart: 5e5 }],
      [{ at: 2e6, crash: 'svc-1', restart: 'never' }],
    ]);
  });

  it('may name what a cell of every architecture has', () => {
    const fields =
      'factors: { architecture: [none, central-entity, dynamic-router-2, sidecar] }\nevents: 1s crash point of svc-2 restart 1s';
    expect(problems(fields)).toEqual([]);
  });

  it.each([
    [
      'an unknown target',
      '{ at: 1s, crash: svc-9, restart: 1s }',
      'TB_EVENT_UNKNOWN_TARGET',
      /"svc-9" is no role/,
      /svc-1/,
    ],
    ['a misspelt field', '{ at: 1s, crash: svc-1, restrt: 1s }', 'TB_SCHEMA_UNKNOWN_KEY', /restrt/, /restart/],
    [
      'a field of other kinds of events',
      '{ at: 1s, crash: svc-1, restart: never, for: 1s }',
      'TB_SCHEMA_UNKNOWN_KEY',
      /unknown key "for"/,
      /^known keys: at, crash, restart$/,
    ],
    ['a freeze of no time', '{ at: 1s, freeze: svc-1, for: 0ms }', 'TB_SCHEMA_INVALID', /above 0, .*"0ms"/, undefined],
    ['rules without a change', '{ at: 1s, rules: { set: {} } }', 'TB_SCHEMA_INVALID', /at least one field/, undefined],
    ['a missing kind', '{ at: 1s }', 'TB_SCHEMA_MISSING_KEY', /lacks the key/, undefined],
    [
      'a time without a unit',
      '{ at: 1, crash: svc-1, restart: 1s }',
      'TB_UNIT_INVALID',
      /"1" is not a duration/,
      /units/,
    ],
    [
      'a time after the end',
      '{ at: 10s, crash: svc-1, restart: never }',
      'TB_EVENT_TIME',
      /before the end of the load at 10 s/,
      /longer/,
    ],
    [
      'a restart after the end',
      '{ at: 9s, crash: svc-1, restart: 2s }',
      'TB_EVENT_TIME',
      /restarts its target at 11 s/,
      /never/,
    ],
    [
      'a restart that is still starting at the end',
      '{ at: 9s, crash: svc-1, restart: 950ms }',
      'TB_EVENT_TIME',
      /restarts its target at 9\.95 s, and a start takes about 100 ms on the runner local: /,
      /never/,
    ],
    ['a freeze beyond the end', '{ at: 9s, freeze: svc-1, for: 2s }', 'TB_EVENT_TIME', /ends at 11 s/, /longer/],
    [
      'a restart shorter than a start',
      '{ at: 1s, crash: svc-1, restart: 10ms }',
      'TB_EVENT_TIME',
      /a start takes about 100 ms/,
      /`restart: 100ms` or more/,
    ],
  ])('report %s at its place', (_, event, code, message, hint) => {
    const problem = problems(`events:\n  - ${event}`).find((one) => one.code === code);
    expect(problem).toMatchObject({
      place: expect.stringMatching(/^6:/),
      code,
      message: expect.stringMatching(message),
    });
    if (hint) expect(problem?.hint).toMatch(hint);
  });

  it('suggest targets that the architecture has', () => {
    const [problem] = problems('set: { enforcement.architecture: none }\nevents: 1s crash points restart 1s');
    expect(problem?.hint).not.toContain('points');
    const central = 'set: { enforcement.architecture: central-entity, enforcement.replicas: 2 }';
    expect(problems(`${central}\nevents: 1s crash central-entities restart 1s`)).toEqual([]);
  });

  it('report a role that two events have at the same time, and not one that has both in turn', () => {
    const both = (second: string) => `events:\n  - { at: 1s, crash: services, restart: 2s }\n  - ${second}`;
    expect(problems(both('{ at: 2s, freeze: svc-2, for: 1s }'))).toMatchObject([
      { place: '7:5', code: 'TB_EVENT_TIME', message: expect.stringMatching(/overlaps crash services .*svc-2/) },
    ]);
    // A start takes about 100 ms.
    expect(problems(both('{ at: 3s, freeze: svc-2, for: 1s }'))).toHaveLength(1);
    expect(problems(both('{ at: 3100ms, freeze: svc-2, for: 1s }'))).toEqual([]);
    expect(problems(both('{ at: 2s, freeze: gateway, for: 1s }'))).toEqual([]);
  });

  it('delay and part messages, of sides without a common role', () => {
    const line = 'events: 1s slow gateway delay 50ms for 2s; 2s partition eu and us for 2s oneWay';
    expect(cellsOf(line)[0]?.settings.events).toEqual([
      { at: 1e6, slow: 'gateway', delay: 5e4, for: 2e6 },
      { at: 2e6, partition: ['eu', 'us'], for: 2e6, oneWay: true },
    ]);
    expect(problems('events: 1s partition a and eu for 1s')).toMatchObject([
      { code: 'TB_EVENT_UNKNOWN_TARGET', message: expect.stringContaining('gateway is on both sides') },
    ]);
    expect(problems('events: 1s partition eu and asia for 1s')).toMatchObject([{ code: 'TB_EVENT_UNKNOWN_TARGET' }]);
  });

  it('crash roles at drawn times, apart from the roles of all other events', () => {
    const drawn = (role: string, down = '1s') =>
      `  - { crash: { role: ${role}, every: { law: exponential, mean: 20s }, down: ${down} } }`;
    const [cell] = cellsOf(`events:\n${drawn('services')}`);
    const every = { law: 'exponential', mean: 20e6 };
    expect(cell?.settings.events).toEqual([{ crash: { role: 'services', every, down: 1e6 } }]);
    expect(problems(`events:\n${drawn('nobody')}`)).toMatchObject([{ place: '6:5', code: 'TB_EVENT_UNKNOWN_TARGET' }]);
    expect(problems(`events:\n${drawn('services', '1ms')}`)).toMatchObject([
      { code: 'TB_EVENT_TIME', hint: 'write `down: 100ms` or more' },
    ]);
    const both = `events:\n${drawn('services')}\n  - { at: 1s, freeze: svc-2, for: 1s }`;
    expect(problems(both)).toMatchObject([
      { code: 'TB_EVENT_TIME', message: expect.stringContaining('both have svc-2') },
    ]);
    expect(problems(`events:\n${drawn('services')}\n${drawn('gateway')}`)).toEqual([]);
    const timed = (law: string, mean: string) =>
      `events:\n  - { crash: { role: services, every: { law: ${law}, mean: ${mean} }, down: 1s } }`;
    expect(problems(timed('exponential', '0s'))).toMatchObject([
      { code: 'TB_EVENT_TIME', hint: 'write `mean: 100ms` or more' },
    ]);
    expect(problems(timed('constant', '20s'))).toMatchObject([
      { code: 'TB_EVENT_TIME', message: expect.stringContaining('the first would end at 21 s') },
    ]);
    const misspelt = 'events:\n  - { crash: { role: services, every: { law: exp, mean: 20s }, down: 1s } }';
    expect(problems(misspelt)).toMatchObject([{ code: 'TB_SCHEMA_INVALID', place: expect.stringMatching(/^6:/) }]);
  });

  it('report a faulty level of the factor at that level', () => {
    expect(problems('factors:\n  events:\n    - none\n    - 1s crash nobody restart 1s')).toMatchObject([
      { place: '8:7', code: 'TB_EVENT_UNKNOWN_TARGET' },
    ]);
    expect(problems('factors:\n  events:\n    - none\n    - crash it')).toMatchObject([
      { place: '8:7', code: 'TB_SCHEMA_INVALID', message: expect.stringContaining('"crash it" is no event') },
    ]);
  });

  it('are for requests through a gateway, and so are retries, breakers and takeover', () => {
    const kept = topology.replace('generate: 4', 'name: items, persistence: { store: sql-indexed }');
    const store = 'load: { driver: autocannon, connections: 2 }\npersistence: {}';
    expect(problems(`events: 1s crash items restart 2s\n${store}`, kept)).toMatchObject([
      { code: 'TB_EVENT_UNSUPPORTED', hint: expect.stringContaining('requests through a gateway') },
    ]);
    const set = (resilience: string) => `set: { enforcement.resilience: ${resilience} }`;
    const central = 'factors: { architecture: [central-entity], replicas: [2] }';
    const found = problems(
      `${set('{ takeover: true, retries: 2, breaker: { failures: 5 } }')}\n${central}\n${store}`,
      kept,
    );
    expect(found.map(({ place, message }) => [place.split(':')[0], message.split(' ')[0]])).toEqual([
      ['5', 'enforcement.resilience.retries'],
      ['5', 'enforcement.resilience.takeover'],
      ['5', 'enforcement.resilience.breaker'],
    ]);
    expect(found[0]).toMatchObject({ code: 'TB_EXPERIMENT_UNUSED_FIELD', hint: expect.stringContaining('leave out') });
    const factor =
      'factors: { architecture: [central-entity], replicas: [2], enforcement.resilience.takeover: [false, true] }';
    expect(problems(`${factor}\n${store}`, kept)).toMatchObject([{ place: expect.stringMatching(/^5:/) }]);
    expect(problems(`${set('{ takeover: false, breaker: { failures: 0 } }')}\n${central}\n${store}`, kept)).toEqual([]);
  });

  it('name what the runner, the driver, the deployment or a service cannot do, with the way out', () => {
    const event = 'events: 1s crash svc-1 restart 2s';
    expect(problems(`${event.replace('2s', '300ms')}\nrunner: kubernetes`)).toMatchObject([
      { code: 'TB_EVENT_TIME', message: expect.stringContaining('500 ms on the runner kubernetes') },
    ]);
    expect(problems(`${event}\nload: { driver: autocannon, connections: 2 }`)[0]).toMatchObject({
      code: 'TB_EVENT_UNSUPPORTED',
      hint: expect.stringContaining('open'),
    });
    const turns = `${event}\ndeploy: interleaved\nfactors: { architecture: [none, sidecar] }`;
    expect(problems(turns)[0]).toMatchObject({
      code: 'TB_EXPERIMENT_INTERLEAVED',
      message: expect.stringContaining('events'),
      hint: 'use `deploy: fresh`',
    });
    const owned = topology.replace('{ generate: 4 }', '{ name: svc-1, url: "http://127.0.0.1:9" }, { name: svc-2 }');
    expect(problems(event, owned)[0]).toMatchObject({
      code: 'TB_EVENT_UNSUPPORTED',
      message: expect.stringContaining('svc-1 is a user-supplied service'),
    });
  });
});
