/** Changes of rules as events of an experiment: their rules, and what is refused before anything runs. */
import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { readInputs, textsByName } from '../src/read-inputs.ts';
import { checkExperiment, resolveExperiment } from '../src/resolve-experiment.ts';

const rulesText = (rules: string, fallback = 'allow') =>
  `apiVersion: topo-bench/v1\nkind: Rules\nname: r\ndefault: ${fallback}\nrules: [${rules}]\n`;
const refusing = (service: string, id = 'no') =>
  `{ id: ${id}, effect: deny, when: { fact: target, path: $.service, operator: equal, value: ${service} } }`;
const files: Record<string, string> = {
  'chain.yaml': `apiVersion: topo-bench/v1
kind: Topology
name: chain
nodes: [{ name: a, region: eu }]
services: [{ generate: 3 }, { name: other, role: alternative }]
rules: v1.yaml
`,
  'v1.yaml': rulesText(
    `${refusing('svc-1')}, { id: away, effect: reroute, to: other, when: { fact: target, path: $.service, operator: equal, value: svc-3 } }`,
  ),
  'v2.yaml': rulesText(refusing('svc-2')),
  'bad.yaml': rulesText(refusing('svc-2').replace('deny', 'denied')),
  'elsewhere.yaml': rulesText(refusing('svc-2').replace('deny', 'reroute, to: other')),
};

async function inputsOf(fields: string) {
  const experiment = `apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n${fields}`;
  return readInputs('test.yaml', {}, studies, textsByName({ ...files, 'test.yaml': experiment }));
}
const cellsOf = async (fields: string) => resolveExperiment(await inputsOf(fields), studies).cells;
const problemsOf = async (fields: string) =>
  checkExperiment(await inputsOf(fields), studies).problems.map(({ file, line, column, code, message }) => {
    return `${file}:${line}:${column} ${code} ${message}`;
  });
const sidecar = 'set: { enforcement.architecture: sidecar }';

describe('the rules of a change', () => {
  it('are those of a file, or the rules before with some fields set, in the order of time', async () => {
    const events = `events:
  - { at: 4s, rules: { set: { default: deny, rules.no.effect: allow } } }
  - { at: 2s, rules: v2.yaml }`;
    const [cell] = await cellsOf(`${sidecar}\n${events}`);
    const changed = cell?.changedRules?.map(({ rules }) => [rules.default, rules.rules.map(({ effect }) => effect)]);
    expect(changed).toEqual([
      ['allow', ['deny']],
      ['deny', ['allow']],
    ]);
    expect(cell?.graph.rules.rules).toHaveLength(2);
  });

  it('may be a level of the factor events', async () => {
    const cells = await cellsOf(`${sidecar}\nfactors: { events: [none, 1s rules v2.yaml] }`);
    expect(cells.map(({ changedRules }) => changedRules?.map(({ rules }) => rules.rules.length))).toEqual([
      undefined,
      [1],
    ]);
  });

  it.each([
    ['that do not validate', 'events: [{ at: 1s, rules: bad.yaml }]', /^bad\.yaml:5:\d+ TB_SCHEMA_INVALID .*effect/],
    [
      'that follow another change too soon',
      'events: [{ at: 1s, rules: v2.yaml }, { at: 1050ms, rules: v1.yaml }]',
      /^test\.yaml:6:\d+ TB_EVENT_TIME the rules change 50 ms after another change/,
    ],
    [
      'that points have not fetched when the next ones come',
      'set: { enforcement.architecture: sidecar, enforcement.distribution: poll 2s }\nevents: [{ at: 1s, rules: v2.yaml }, { at: 2s, rules: v1.yaml }]',
      /TB_EVENT_TIME the rules change 1000 ms after another change/,
    ],
    [
      'that points have not fetched when the load ends',
      'set: { enforcement.architecture: sidecar, enforcement.distribution: poll 2s }\nevents: [{ at: 8s, rules: v2.yaml }]\nduration: 10s',
      /^test\.yaml:6:\d+ TB_EVENT_TIME the rules change at 8 s, and may not be confirmed before .* at 10 s: points ask every 2 s/,
    ],
    [
      'while a frozen point has not confirmed the last ones',
      'events: [{ at: 1s, rules: v2.yaml }, { at: 900ms, freeze: svc-2-sidecar, for: 2s }, { at: 2s, rules: v1.yaml }]',
      /^test\.yaml:6:\d+ TB_EVENT_TIME the rules change 1000 ms after another change, which may still be in progress/,
    ],
    [
      'that no point can fetch, since the gateway is down',
      'set: { enforcement.architecture: sidecar, enforcement.distribution: stream }\nevents: [{ at: 1s, crash: gateway, restart: never }, { at: 2s, rules: v2.yaml }]\nduration: 10s',
      /TB_EVENT_TIME the rules change at 2 s, and may not be confirmed before .*: `crash gateway` delays it/,
    ],
    [
      'that reroute where a role has no way to',
      'events: [{ at: 1s, rules: elsewhere.yaml }]',
      /^test\.yaml:6:\d+ TB_EVENT_UNSUPPORTED the new rules reroute from svc-2-sidecar to other-sidecar/,
    ],
    [
      'with a field that the rules before have not',
      'events: [{ at: 1s, rules: { set: { rules.noo.effect: allow } } }]',
      /^test\.yaml:6:\d+ TB_OVERRIDE_UNKNOWN_FIELD the rules have no field "rules\.noo\.effect"/,
    ],
    [
      'with a value that no rule has',
      'events: [{ at: 1s, rules: { set: { rules.no.effect: denied } } }]',
      /^test\.yaml:6:\d+ TB_SCHEMA_INVALID .*effect/,
    ],
    [
      'after the end of the load',
      'events: [{ at: 20s, rules: v2.yaml }]\nduration: 10s',
      /^test\.yaml:6:\d+ TB_EVENT_TIME rules v2\.yaml is at 20 s/,
    ],
  ])('are refused: %s', async (_, fields, expected) => {
    const found = await problemsOf(fields.startsWith('set') ? fields : `${sidecar}\n${fields}`);
    expect(found).toEqual([expect.stringMatching(expected)]);
  });

  it('may follow another change after a freeze, and in a crash of a point, which starts again with them', async () => {
    const after = (event: string, time: string) =>
      problemsOf(`${sidecar}\nevents: [{ at: 1s, rules: v2.yaml }, ${event}, { at: ${time}, rules: v1.yaml }]`);
    const freeze = (role: string) => `{ at: 900ms, freeze: ${role}, for: 2s }`;
    expect(await after(freeze('svc-2-sidecar'), '2900ms')).toEqual([]);
    expect(await after(freeze('svc-2'), '2s')).toEqual([]);
    expect(await after('{ at: 900ms, crash: svc-2-sidecar, restart: 2s }', '2s')).toEqual([]);
  });

  it('are refused where nothing enforces them, and where their file is missing', async () => {
    expect(await problemsOf('set: { enforcement.architecture: none }\nevents: 1s rules v2.yaml')).toEqual([
      expect.stringContaining('TB_EVENT_UNSUPPORTED rules change, and nothing enforces them under none'),
    ]);
    const missing = (fields: string) => inputsOf(fields).catch(({ location, message }) => ({ ...location, message }));
    const message = expect.stringContaining('nowhere.yaml');
    expect(await missing('events: 1s rules nowhere.yaml')).toMatchObject({ line: 5, column: 9, message });
    const listed = 'events:\n  - { at: 1s, rules: v2.yaml }\n  - { at: 2s, rules: nowhere.yaml }';
    expect(await missing(listed)).toMatchObject({ line: 7, message });
    expect(await missing('factors: { rules: [v2.yaml, nowhere.yaml] }')).toMatchObject({
      line: 5,
      column: 29,
      message,
    });
  });
});
