/**
 * The documents of the roles as ConfigMaps, and their secrets as Secrets, so that all other manifests can be committed.
 * A document is text that a person can read, or compressed where it is large.
 */
import { gzipSync } from 'node:zlib';
import { type DeploymentDocuments, TopoBenchError } from '@topo-bench/core';
import { hostNameOf } from '../../host-name.ts';
import type { KubernetesObject, ManifestOptions } from './object.ts';

/** Files of the documents in a container. */
export interface DocumentFiles {
  graph: string;
  secrets: string;
  configOf(role: string): string;
}

export const graphMapName = 'graph';

const maxTextBytes = 128 * 1024;
/** Max size of the data of a ConfigMap or Secret (Kubernetes, `MaxSecretSize`). */
const maxDataBytes = 1024 * 1024;

export function configMapName(role: string): string {
  return `${hostNameOf(role)}-config`;
}

export function secretName(role: string): string {
  return `${hostNameOf(role)}-secrets`;
}

/** @throws TopoBenchError `TB_MANIFEST_TOO_LARGE` when a document does not fit into a ConfigMap */
export function configMaps({ graph, roles }: DeploymentDocuments, options: ManifestOptions): KubernetesObject[] {
  return [
    configMap(graphMapName, 'graph', graph, options),
    ...roles.map(({ config }) => configMap(configMapName(config.name), 'config', config, options)),
  ];
}

export function secrets({ roles }: DeploymentDocuments, { namespace, labels }: ManifestOptions): KubernetesObject[] {
  return roles.map((role) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secretName(role.config.name), namespace, labels },
    type: 'Opaque',
    stringData: { 'secrets.json': textOf(role.secrets) },
  }));
}

export function documentFiles({ graph, roles }: DeploymentDocuments): DocumentFiles {
  const configs = new Map(roles.map(({ config }) => [config.name, fileName('config', config)]));
  return {
    graph: fileName('graph', graph),
    secrets: 'secrets.json',
    configOf: (role) => configs.get(role) as string,
  };
}

function configMap(
  name: string,
  kind: 'config' | 'graph',
  document: object,
  { namespace, labels }: ManifestOptions,
): KubernetesObject {
  const file = fileName(kind, document);
  const text = textOf(document);
  const meta = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels } };
  if (!isLarge(text)) return { ...meta, data: { [file]: text } };
  const base64 = gzipSync(text).toString('base64');
  if (base64.length > maxDataBytes) {
    const message = `${name}: got ${base64.length} bytes compressed, expected at most ${maxDataBytes} in a ConfigMap`;
    throw new TopoBenchError('TB_MANIFEST_TOO_LARGE', message, { hint: 'use fewer services or fewer rules' });
  }
  return { ...meta, binaryData: { [file]: base64 } };
}

function fileName(kind: 'config' | 'graph', document: object): string {
  return isLarge(textOf(document)) ? `${kind}.json.gz` : `${kind}.json`;
}

function isLarge(text: string): boolean {
  return Buffer.byteLength(text) > maxTextBytes;
}

function textOf(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
