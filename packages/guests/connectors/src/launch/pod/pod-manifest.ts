/** The objects of one program on a cluster: its files as a Secret, and a pod with the rights of a role. */
import { labels } from '@topo-bench/core';
import { documentsFolder } from '@topo-bench/deployment';
import { containerSecurity, type KubernetesObject, podSecurity } from '@topo-bench/deployment/kubernetes';
import type { ProgramLaunch } from '../launcher.ts';
import type { MountedFile } from './file-volumes.ts';

export const containerOfProgram = 'program';

export interface PodName {
  namespace: string;
  name: string;
}

export function programSecret({ namespace, name }: PodName, { files }: ProgramLaunch): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type: 'Opaque', stringData: files };
}

/**
 * The program starts its work with the first line of its input, when its output is being read. It ends after another
 * one, when its report has been read: what is on its way when a container ends may be lost.
 */
export function programPod(
  { namespace, name }: PodName,
  image: string,
  { program, args }: ProgramLaunch,
  mounted: readonly MountedFile[],
): KubernetesObject {
  const flags = ['--after-input-line', '--until-input-ends', '--until-read-line'];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { [labels.role]: program } },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: containerOfProgram,
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['node', `/app/${program}.js`, ...args((file) => `${documentsFolder}/${file}`), ...flags],
          stdin: true,
          stdinOnce: true,
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
          securityContext: containerSecurity,
          volumeMounts: [
            { name: 'files', mountPath: documentsFolder, readOnly: true },
            { name: 'tmp', mountPath: '/tmp' },
            ...mounted.map(({ claim, mountPath }) => ({ name: claim, mountPath, readOnly: true })),
          ],
        },
      ],
      volumes: [
        { name: 'files', secret: { secretName: name, defaultMode: 0o440 } },
        { name: 'tmp', emptyDir: {} },
        ...mounted.map(({ claim }) => ({ name: claim, persistentVolumeClaim: { claimName: claim, readOnly: true } })),
      ],
      ...podSecurity,
      securityContext: { ...podSecurity.securityContext, fsGroup: 1000 },
      terminationGracePeriodSeconds: 1,
    },
  };
}
