import { describe, expect, it } from 'vitest';
import type { ContainerState, Pod } from '../../src/kubernetes/pod.ts';
import { problemOf } from '../../src/kubernetes/pod-problem.ts';

const pod = (status: Pod['status'], metadata: Partial<Pod['metadata']> = {}): Pod => ({
  metadata: { name: 'svc-1-abc', uid: 'u', ...metadata },
  spec: {},
  status,
});
const container = (state: ContainerState, restartCount = 0, lastState: ContainerState = {}) =>
  pod({ containerStatuses: [{ name: 'svc-1', ready: false, restartCount, state, lastState }] });

describe('the problem of a pod', () => {
  it('is absent while containers are created', () => {
    expect(problemOf(container({ waiting: { reason: 'ContainerCreating' } }))).toBeUndefined();
    expect(problemOf(pod({ phase: 'Pending' }))).toBeUndefined();
  });

  it('names a container whose image cannot be pulled, and waiting does not help', () => {
    const found = problemOf(container({ waiting: { reason: 'ErrImagePull', message: 'not found' } }));
    expect(found).toEqual({ text: 'ErrImagePull: not found', container: 'svc-1', isFinal: true });
  });

  it('is the word of the scheduler, which a new node may change', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' }];
    expect(problemOf(pod({ phase: 'Pending', conditions }))).toEqual({
      text: 'Unschedulable: 0/1 nodes',
      isFinal: false,
    });
  });

  it('is the end of a container, also when it runs again', () => {
    const oom = { terminated: { exitCode: 137, reason: 'OOMKilled' } };
    const text = 'ran out of memory (OOMKilled)';
    expect(problemOf(container(oom))).toEqual({ text, container: 'svc-1', isFinal: true });
    expect(problemOf(container({}, 1, oom))).toEqual({ text, container: 'svc-1', isFinal: true });
  });

  it('is the end of a native sidecar', () => {
    const initContainerStatuses = [
      { name: 'svc-1-sidecar', ready: false, restartCount: 0, state: { terminated: { exitCode: 1 } } },
    ];
    const found = problemOf(pod({ initContainerStatuses }));
    expect(found).toEqual({ text: 'ended with exit code 1', container: 'svc-1-sidecar', isFinal: true });
  });

  it('is an eviction or a deletion', () => {
    expect(problemOf(pod({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' }))).toEqual({
      text: 'Evicted: low on memory',
      isFinal: true,
    });
    expect(problemOf(pod({ phase: 'Running' }, { deletionTimestamp: 'now' }))).toEqual({
      text: 'was deleted',
      isFinal: true,
    });
  });
});
