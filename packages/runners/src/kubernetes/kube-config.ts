/** The kubeconfig of the user: cluster, context and credentials, found as kubectl finds them. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { TopoBenchError } from '@topo-bench/core';

/** Exists in every pod with a service account. */
const accountToken = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * @param context of the kubeconfig. Default: its current one
 * @throws TopoBenchError `TB_CLUSTER_NOT_FOUND`
 */
export async function loadKubeConfig(context?: string): Promise<KubeConfig> {
  const files = configFiles();
  if (files.length === 0 && !existsSync(accountToken)) {
    throw notFound(`no kubeconfig: got none of ${searched().join(', ')}`, 'set KUBECONFIG to the file of your cluster');
  }
  // Loaded on the first use: no other runner needs it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw notFound(`cannot read ${files.join(', ')}: ${(error as Error).message}`, 'correct or replace the file');
  }
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

function configFiles(): string[] {
  return searched().filter((file) => existsSync(file));
}

function searched(): string[] {
  const { KUBECONFIG } = process.env;
  return KUBECONFIG ? KUBECONFIG.split(delimiter).filter(Boolean) : [join(homedir(), '.kube', 'config')];
}

function notFound(message: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_CLUSTER_NOT_FOUND', message, { hint });
}
