import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import { planDeployment } from '@topo-bench/deployment';
import { eventFailures } from '@topo-bench/results';
import type { RoleChange } from '@topo-bench/runners';
import { graphOf } from '@topo-bench/topology';
import type { ExperimentCell, LoadEventRecord } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { DeploymentEvents } from '../src/load-events.ts';

const graph = graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'two', services: [{ generate: 2 }] });
const plan = planDeployment(graph);

function eventsOf(events: ExperimentFile['events'], repetition = 1, restarted?: Promise<void>) {
  const applied: string[] = [];
  const deployment = {
    apply: async (change: RoleChange) => {
      const { kind, role } = change;
      applied.push(kind === 'messages' ? `${role} ${JSON.stringify(change.faults)}` : `${kind} ${role}`);
      if (kind === 'restart') await restarted;
    },
    changeRules: async ({ version }: { version: number }) => void applied.push(`rules ${version}`),
  };
  const settings = { events, seed: 1, duration: 60e6 };
  const cell = { settings, graph, plan } as unknown as ExperimentCell;
  return { applied, planned: new DeploymentEvents(cell, deployment, repetition) };
}

const { signal } = new AbortController();
const effective = (atUs: number): LoadEventRecord => {
  return { atUs, name: '', outcome: 'effective', requestedUs: atUs + 1, effectiveUs: atUs + 2 };
};

describe('events on a deployment', () => {
  it('begin and end by changes of every role of their target', async () => {
    const { applied, planned } = eventsOf([
      { at: 10, crash: 'services', restart: 5 },
      { at: 20, freeze: 'gateway', for: 7 },
    ]);
    expect(planned.forLoad.map(({ atUs }) => atUs)).toEqual([10, 15, 20, 27]);
    for (const { apply } of planned.forLoad) await apply(signal);
    expect(applied).toEqual([
      ...['kill svc-1', 'kill svc-2', 'restart svc-1', 'restart svc-2'],
      ...['freeze gateway', 'thaw gateway'],
    ]);
  });

  it('that kill a role again wait until its last restart has ended', async () => {
    let end = (): void => undefined;
    const restarted = new Promise<void>((resolve) => {
      end = resolve;
    });
    const crash = { crash: 'svc-1', restart: 5 };
    const { applied, planned } = eventsOf(
      [
        { at: 10, ...crash },
        { at: 20, ...crash },
      ],
      1,
      restarted,
    );
    const [kill, restart, killAgain] = planned.forLoad;
    await kill?.apply(signal);
    const restarting = restart?.apply(signal);
    await nextTurn();
    const killing = killAgain?.apply(signal);
    await nextTurn();
    expect(applied).toEqual(['kill svc-1', 'restart svc-1']);
    end();
    await Promise.all([restarting, killing]);
    expect(applied).toEqual(['kill svc-1', 'restart svc-1', 'kill svc-1']);
  });

  it('that kill a role end the deployment, also when it has started again; a frozen role is as before', async () => {
    const { planned: frozen } = eventsOf([{ at: 20, freeze: 'gateway', for: 7 }]);
    for (const { apply } of frozen.forLoad) await apply(signal);
    expect(frozen.hasEnded).toBe(false);
    const { planned: killed } = eventsOf([{ at: 10, crash: 'services', restart: 5 }]);
    expect(killed.hasEnded).toBe(false);
    for (const { apply } of killed.forLoad) await apply(signal);
    expect(killed.hasEnded).toBe(true);
  });

  it('give each role the faults of all events that last, and none after the last of them', async () => {
    const { applied, planned } = eventsOf([
      { at: 10, slow: 'svc-1', delay: 5, for: 30 },
      { at: 20, partition: ['gateway', 'services'], for: 30, oneWay: false },
    ]);
    const [slow, partition, endOfSlow, endOfPartition] = [...planned.forLoad].sort((a, b) => a.atUs - b.atUs);
    await slow?.apply(signal);
    await partition?.apply(signal);
    expect(applied).toEqual([
      'svc-1 {"delayUs":5,"to":[],"from":[]}',
      'gateway {"delayUs":0,"to":["svc-1","svc-2"],"from":["svc-1","svc-2"]}',
      'svc-1 {"delayUs":5,"to":["gateway"],"from":["gateway"]}',
      'svc-2 {"delayUs":0,"to":["gateway"],"from":["gateway"]}',
    ]);
    applied.length = 0;
    await endOfSlow?.apply(signal);
    await endOfPartition?.apply(signal);
    expect(applied[0]).toBe('svc-1 {"delayUs":0,"to":["gateway"],"from":["gateway"]}');
    expect(applied.slice(1)).toEqual(
      ['gateway', 'svc-1', 'svc-2'].map((role) => `${role} {"delayUs":0,"to":[],"from":[]}`),
    );
  });

  it('of one way lose messages of the first side, and its answers to the second', async () => {
    const { applied, planned } = eventsOf([{ at: 20, partition: ['svc-1', 'svc-2'], for: 30, oneWay: true }]);
    await planned.forLoad[0]?.apply(signal);
    expect(applied).toEqual([
      'svc-1 {"delayUs":0,"to":["svc-2"],"from":[]}',
      'svc-2 {"delayUs":0,"to":[],"from":["svc-1"]}',
    ]);
  });

  it('at drawn times are those of the seed and the repetition, for each role by itself, and marked as drawn', () => {
    const crash = { role: 'services', every: { law: 'exponential', mean: 5e6 }, down: 1e6 } as const;
    const timesOf = (repetition: number) => eventsOf([{ crash }], repetition).planned.forLoad.map(({ atUs }) => atUs);
    expect(timesOf(1)).toEqual(timesOf(1));
    expect(timesOf(1)).not.toEqual(timesOf(2));
    const { planned } = eventsOf([{ crash }]);
    const records = planned.recordsOf(planned.forLoad.map(({ atUs }) => effective(atUs)));
    const ofRole = (role: string) => records.filter(({ roles }) => roles[0] === role).map(({ begin }) => begin.atUs);
    expect(ofRole('svc-1').length).toBeGreaterThan(3);
    expect(ofRole('svc-1')).not.toEqual(ofRole('svc-2'));
    expect(records.every(({ drawn, name }) => drawn && name === 'crashes of services')).toBe(true);
  });

  it('at a drawn time shortly before the end of the load have no end: the role is down until then', () => {
    const every = { law: 'constant', mean: 40e6 } as const;
    const { planned } = eventsOf([{ crash: { role: 'svc-1', every, down: 19e6 } }]);
    const at = (atUs: number, of: object) => ({ atUs, name: '', ...of }) as LoadEventRecord;
    const begin = { atUs: 40e6, requestedUs: 40e6 + 1, effectiveUs: 40e6 + 2 };
    for (const ended of [{ outcome: 'unfinished', requestedUs: 59e6 }, { outcome: 'skipped' }]) {
      const records = planned.recordsOf([effective(40e6), at(59e6, ended)]);
      expect(records).toEqual([{ name: 'crashes of svc-1', kind: 'crash', roles: ['svc-1'], begin, drawn: true }]);
      expect(eventFailures(records)).toEqual([]);
    }
    const failed = { outcome: 'failed', requestedUs: 59e6, failedUs: 59e6, error: new Error('no port') };
    expect(eventFailures(planned.recordsOf([effective(40e6), at(59e6, failed)]))).toEqual([
      'the end of crashes of svc-1 did not take effect during the load: no port',
    ]);
  });

  it('are recorded with both instants, and name what did not take effect', () => {
    const { planned } = eventsOf([
      { at: 10, crash: 'svc-1', restart: 'never' },
      { at: 20, freeze: 'svc-2', for: 7 },
    ]);
    const records = planned.recordsOf([effective(10), effective(20), { atUs: 27, name: '', outcome: 'skipped' }]);
    expect(records).toEqual([
      { name: 'crash svc-1', kind: 'crash', roles: ['svc-1'], begin: { atUs: 10, requestedUs: 11, effectiveUs: 12 } },
      {
        ...{ name: 'freeze svc-2', kind: 'freeze', roles: ['svc-2'] },
        ...{ begin: { atUs: 20, requestedUs: 21, effectiveUs: 22 }, end: { atUs: 27 } },
      },
    ]);
    expect(eventFailures(records)).toEqual(['the end of freeze svc-2 did not take effect during the load']);
  });

  it('leave a role down that never restarts, and thaw a role whose thaw was skipped', async () => {
    const { applied, planned } = eventsOf([
      { at: 10, crash: 'svc-1', restart: 'never' },
      { at: 20, freeze: 'svc-2', for: 7 },
    ]);
    await planned.forLoad[0]?.apply(signal);
    await planned.forLoad[1]?.apply(signal);
    await planned.undo();
    expect(applied).toEqual(['kill svc-1', 'freeze svc-2', 'thaw svc-2']);
    expect(planned.hasEnded).toBe(true);
  });
});
