/**
 * Containers, networks and volumes of processes that ended without removing them, such as a killed run. Images stay:
 * the next run uses them.
 */

import { labels } from '@topo-bench/core';
import { whenReady } from '@topo-bench/host';
import type Docker from 'dockerode';
import { withinDeadline } from './engine-deadline.ts';
import { ownerState } from './owner.ts';

/** Everything that one process left on an engine for one run. */
export interface EngineLeftover {
  run: string;
  /** Names by kind, without empty kinds. */
  objects: Readonly<Partial<Record<ObjectKind, readonly string[]>>>;
  /** Removes all of it. Objects that another process removes at the same time are no failure. */
  remove(): Promise<void>;
}

type ObjectKind = 'container' | 'network' | 'volume';

interface Found {
  kind: ObjectKind;
  /** Unique on the engine. */
  id: string;
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** Objects without an owner label, of running processes and of other hosts are never among them. */
export async function engineLeftovers(engine: Docker): Promise<EngineLeftover[]> {
  const groups = new Map<string, Found[]>();
  const states = new Map<string, Awaited<ReturnType<typeof ownerState>>>();
  for (const object of await ownedObjects(engine)) {
    const owner = object.labels[labels.owner] ?? '';
    if (!states.has(owner)) states.set(owner, await ownerState(owner));
    if (states.get(owner) !== 'ended') continue;
    const key = `${object.labels[labels.run]} ${owner}`;
    groups.set(key, [...(groups.get(key) ?? []), object]);
  }
  // A database server joins the network of another run of its process, which cannot be removed before it.
  const hasNetwork = (objects: readonly Found[]): boolean => objects.some(({ kind }) => kind === 'network');
  const ordered = [...groups.values()].sort((one, other) => Number(hasNetwork(one)) - Number(hasNetwork(other)));
  return ordered.map((objects) => leftoverOf(engine, objects));
}

function leftoverOf(engine: Docker, objects: readonly Found[]): EngineLeftover {
  const of = (kind: ObjectKind): Found[] => objects.filter((object) => object.kind === kind);
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  return {
    run: objects[0]?.labels[labels.run] ?? '',
    objects: Object.fromEntries(kinds.map((kind) => [kind, of(kind).map(({ name }) => name)])),
    remove: async () => {
      // Networks and volumes cannot be removed while a container uses them.
      await removeAll(of('container'), ({ id }, abortSignal) =>
        engine.getContainer(id).remove({ force: true, v: true, abortSignal }),
      );
      await removeAll(of('network'), ({ id }, abortSignal) => engine.getNetwork(id).remove({ abortSignal }));
      await removeAll(of('volume'), ({ id }, abortSignal) => engine.getVolume(id).remove({ abortSignal }));
    },
  };
}

const removedAtOnce = 8;
const conflictMs = { timeoutMs: 20_000, pauseMs: 100 };

/** Removes every object, several at a time, then throws the first failure. */
async function removeAll(
  objects: readonly Found[],
  remove: (object: Found, abortSignal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const request = (object: Found): Promise<unknown> =>
    withinDeadline(`remove the ${object.kind} ${object.name}`, (abortSignal) => remove(object, abortSignal));
  const failures: unknown[] = [];
  for (let first = 0; first < objects.length; first += removedAtOnce) {
    const attempts = objects.slice(first, first + removedAtOnce).map((object) => removed(() => request(object)));
    for (const result of await Promise.allSettled(attempts))
      if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw failures[0];
}

/** Resolves once the object is gone. Tries again while another process removes it, or a user of it. */
async function removed(remove: () => Promise<unknown>): Promise<void> {
  const inUse = await whenReady(() => remove().then(() => undefined, problemOf), conflictMs);
  if (inUse !== undefined) throw new Error(inUse);
}

/** Docker answers 403 for a network and 409 for a volume in use, and 409 for a removal in progress. */
const conflicts = [403, 409];

/** @returns undefined for an object that is gone */
function problemOf(error: { statusCode?: number; message: string }): string | undefined {
  if (error.statusCode === 404) return undefined;
  if (conflicts.includes(error.statusCode ?? 0)) return error.message;
  throw error;
}

async function ownedObjects(engine: Docker): Promise<Found[]> {
  const filters = { label: [labels.owner] };
  const work = 'list containers, networks and volumes';
  const [containers, networks, { Volumes: volumes }] = await withinDeadline(work, (abortSignal) =>
    Promise.all([
      engine.listContainers({ all: true, filters, abortSignal }),
      engine.listNetworks({ filters, abortSignal }),
      engine.listVolumes({ filters, abortSignal }),
    ]),
  );
  return [
    ...containers.map(({ Id, Names, Labels }): Found => {
      const name = Names[0]?.replace(/^\//, '') ?? Id.slice(0, 12);
      return { kind: 'container', id: Id, name, labels: Labels };
    }),
    ...networks.map(({ Id, Name, Labels }): Found => ({ kind: 'network', id: Id, name: Name, labels: Labels ?? {} })),
    // An engine without volumes returns null.
    ...(volumes ?? []).map(({ Name, Labels }): Found => {
      return { kind: 'volume', id: Name, name: Name, labels: Labels ?? {} };
    }),
  ];
}
