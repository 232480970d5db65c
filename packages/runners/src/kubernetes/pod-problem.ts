/** Why a pod does not run: the state of its containers, or the word of the scheduler. */
import { type ContainerStatus, containersOf, type Pod } from './pod.ts';

export interface PodProblem {
  text: string;
  /** Container whose log may explain it. */
  container?: string;
  /** Whether waiting cannot help. */
  isFinal: boolean;
}

/** States in which a container stays until a user acts. A pull is repeated, with growing pauses. */
const finalReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
]);

/** The problem of a pod that is not ready, or has ended; undefined when there is none to see. */
export function problemOf(pod: Pod): PodProblem | undefined {
  const { phase, reason, message, conditions } = pod.status;
  if (phase === 'Failed' || phase === 'Succeeded') {
    return endedContainer(pod) ?? { text: `${reason ?? phase}${message ? `: ${message}` : ''}`, isFinal: true };
  }
  const ended = endedContainer(pod);
  if (ended) return ended;
  if (pod.metadata.deletionTimestamp !== undefined) return { text: 'was deleted', isFinal: true };
  for (const { name, state } of containersOf(pod)) {
    const { reason: waits, message: detail } = state?.waiting ?? {};
    if (waits === undefined || waits === 'ContainerCreating' || waits === 'PodInitializing') continue;
    return { text: `${waits}${detail ? `: ${detail}` : ''}`, container: name, isFinal: finalReasons.has(waits) };
  }
  const scheduled = conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    return { text: `${scheduled.reason ?? 'not scheduled'}: ${scheduled.message ?? ''}`, isFinal: false };
  }
  return undefined;
}

/** A container that ended, also when it runs again: a role must not end during a run. */
function endedContainer(pod: Pod): PodProblem | undefined {
  for (const status of containersOf(pod)) {
    const { name, restartCount, lastState, state }: ContainerStatus = status;
    const terminated = state?.terminated ?? (restartCount > 0 ? lastState?.terminated : undefined);
    if (!terminated) continue;
    const { reason, exitCode, message } = terminated;
    const how = reason === 'OOMKilled' ? 'ran out of memory (OOMKilled)' : `ended with exit code ${exitCode}`;
    return { text: `${how}${message ? `: ${message}` : ''}`, container: name, isFinal: true };
  }
  return undefined;
}
