/** Pods and events as the API server returns them, as far as the runner reads them. */
export interface Pod {
  metadata: { name: string; uid: string; labels?: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: {
    phase?: string;
    reason?: string;
    message?: string;
    podIP?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  terminated?: { exitCode: number; reason?: string; signal?: number; message?: string };
}

export interface ClusterEvent {
  metadata: { name: string; uid: string };
  type?: string;
  reason?: string;
  message?: string;
  involvedObject: { kind?: string; name?: string };
}

export function containersOf({ status }: Pod): ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

export function isReady({ status, metadata }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
