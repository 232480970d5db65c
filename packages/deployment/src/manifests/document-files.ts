/**
 * The documents of a deployment as files: graph and configurations, which can be committed, and secrets, which cannot.
 */
import { headers } from '@topo-bench/core';
import { deploymentGraph } from '../deployment-graph.ts';
import { hostNameOf } from '../host-name.ts';
import { type RoleConfigOptions, roleConfig } from '../role-config.ts';
import { clientToken, type RoleSecretOptions, roleSecrets } from '../role-secrets.ts';
import { jsonFile, type ManifestFile } from './manifest-file.ts';

export const documentPaths = {
  graph: 'graph.json',
  config: (role: string) => `config/${hostNameOf(role)}.json`,
  secrets: (role: string) => `secrets/${hostNameOf(role)}.json`,
} as const;

/** Graph and configurations. They contain no secret. */
export function documentFiles(options: RoleConfigOptions): ManifestFile[] {
  const { graph, plan, place } = options;
  const configs = plan.roles.map((role) => jsonFile(documentPaths.config(role.name), roleConfig(role, options)));
  return [jsonFile(documentPaths.graph, deploymentGraph(graph, plan, place.network)), ...configs];
}

/** The secrets of every role, and the token of clients. */
export function secretFiles(options: RoleSecretOptions): ManifestFile[] {
  const roles = options.plan.roles.map((role) =>
    jsonFile(documentPaths.secrets(role.name), roleSecrets(role, options)),
  );
  return [...roles, clientHeaders(options.secret)];
}

/** Header line with the token of clients of items and columns, for `curl -H @FILE`. */
export function clientHeaders(secret: string): ManifestFile {
  return { path: 'secrets/client.headers', text: `${headers.token}: ${clientToken(secret)}\n` };
}
