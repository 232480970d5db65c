/** The kubeconfig of the user: cluster, context and credentials, found as kubectl finds them. */
import { existsSync } from 'node:fs';
import type { KubeConfig } from '@kubernetes/client-node';
import { TopoBenchError } from '@topo-bench/core';
import { ReferredCredentials, splitCredentials } from './cluster-credentials.ts';
import { type ConfigFiles, readConfigFiles, searchedFiles } from './kube-config-files.ts';

/** Exists in every pod with a service account. */
const accountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * @param context of the kubeconfig. Default: its current one
 * @throws TopoBenchError `TB_CLUSTER_NOT_FOUND`
 */
export async function loadKubeConfig(context?: string): Promise<KubeConfig> {
  const searched = searchedFiles();
  const { files, config: merged } = readAll(searched);
  if (files.length === 0 && !existsSync(accountToken)) {
    throw notFound(`no kubeconfig: got none of ${searched.join(', ')}`, 'set KUBECONFIG to the file of your cluster');
  }
  // Loaded on the first use: no other runner needs it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const { config: own, references } = splitCredentials(merged);
  try {
    if (files.length === 0) config.loadFromCluster();
    else config.loadFromString(JSON.stringify(own));
  } catch (error) {
    throw unusable(`cannot read ${files.join(', ')}: ${(error as Error).message}`);
  }
  config.addAuthenticator(new ReferredCredentials(references));
  const names = config.getContexts().map(({ name }) => name);
  if (context !== undefined) {
    if (!names.includes(context)) {
      throw notFound(
        `no context "${context}" in ${files.join(', ')}`,
        `its contexts are ${names.join(', ') || 'none'}`,
      );
    }
    config.setCurrentContext(context);
  }
  if (!config.getCurrentCluster()) {
    const message = `no cluster in context "${config.getCurrentContext() ?? ''}" of ${files.join(', ')}`;
    throw notFound(message, `choose one with --context: ${names.join(', ') || 'the file has none'}`);
  }
  return config;
}

function readAll(searched: readonly string[]): ConfigFiles {
  let read: ConfigFiles;
  try {
    read = readConfigFiles(searched);
  } catch (error) {
    throw unusable((error as Error).message);
  }
  const { files, config } = read;
  const isEmpty = config.clusters.length === 0 && config.contexts.length === 0;
  if (files.length > 0 && isEmpty) throw unusable(`no cluster and no context in ${files.join(', ')}`);
  return read;
}

function unusable(message: string): TopoBenchError {
  return notFound(message, 'correct or replace the file, or set KUBECONFIG to that of your cluster');
}

function notFound(message: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_CLUSTER_NOT_FOUND', message, { hint });
}
