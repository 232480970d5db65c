/**
 * The pods of load generators, next to the roles. They are bare pods: a generator that ended must not be replaced,
 * since the load that it was part of is lost.
 */
import { labels } from '@topo-bench/core';
import { documentsFolder } from '../../deployment-documents.ts';
import { containerSecurity, podSecurity } from './container.ts';
import { type KubernetesObject, type ManifestOptions, podLabel } from './object.ts';
import { spread } from './workload.ts';

export const generatorPort = 8082;

/** Name of the container in each pod. */
export const generatorContainer = 'load-generator';
const secretName = 'load-generators';
const tokenFile = 'token';
/** A generator needs its processor at once when a request is due, so it gets a share like the gateway. */
const requests = { cpu: '100m', memory: '128Mi' };

type Options = Pick<ManifestOptions, 'namespace' | 'labels' | 'image'>;

/** Name of the pod of a generator. */
export function generatorName(index: number): string {
  return `load-generator-${index}`;
}

/** Value of its label for roles. Host names of roles have no dot, so no role has this one. */
export function generatorRole(index: number): string {
  return `load-generator.${index}`;
}

/** The token that all generators of a deployment expect. */
export function generatorSecret(token: string, { namespace, labels: own }: Options): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName, namespace, labels: own },
    type: 'Opaque',
    stringData: { [tokenFile]: token },
  };
}

export function generatorPod(index: number, options: Options): KubernetesObject {
  const { namespace, labels: shared, image } = options;
  const role = generatorRole(index);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: generatorName(index), namespace, labels: { ...shared, [labels.role]: role, [podLabel]: role } },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: generatorContainer,
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['node', '--no-memory-reducer', '/app/load-worker.js', ...listenArguments],
          ports: [{ name: 'links', containerPort: generatorPort }],
          resources: { requests },
          startupProbe: {
            httpGet: { path: '/health', port: generatorPort },
            periodSeconds: 1,
            timeoutSeconds: 5,
            failureThreshold: 120,
          },
          securityContext: containerSecurity,
          volumeMounts: [
            { name: 'token', mountPath: documentsFolder, readOnly: true },
            { name: 'tmp', mountPath: '/tmp' },
          ],
        },
      ],
      volumes: [
        { name: 'token', secret: { secretName } },
        { name: 'tmp', emptyDir: {} },
      ],
      ...podSecurity,
      terminationGracePeriodSeconds: 5,
      ...spread(options),
    },
  };
}

const listenArguments = ['--listen', `0.0.0.0:${generatorPort}`, '--token-file', `${documentsFolder}/${tokenFile}`];
