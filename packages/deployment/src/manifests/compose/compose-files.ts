/**
 * A deployment as a Compose project: one service per role, its documents as files next to `docker-compose.yml`. The
 * project works with docker-compose 1.29 and with the Compose plugin of Docker.
 */
import type { DocumentOptions } from '../../deployment-documents.ts';
import { inContainers } from '../container-placement.ts';
import { requireDeployable } from '../deployable.ts';
import { documentFiles, secretFiles } from '../document-files.ts';
import { headComment, type ManifestOrigin } from '../head-comment.ts';
import type { ManifestFile } from '../manifest-file.ts';
import { composeYaml } from './compose-yaml.ts';
import type { ComposeDatabase } from './database-service.ts';
import { userImageSecrets } from './user-image-service.ts';

export interface ComposeOptions extends Omit<DocumentOptions, 'place' | 'secret'> {
  origin: ManifestOrigin;
  /** Image of the roles. */
  image: string;
  /** JSON text of a request to try. */
  request: string;
  /** Port of the gateway on the host. */
  port: number;
  /** Database servers of the stores. */
  databases?: readonly ComposeDatabase[];
}

/** Files to commit. They contain no secret. */
export function composeFiles(options: ComposeOptions): ManifestFile[] {
  const { graph, plan, origin, request, port } = options;
  requireDeployable(graph, { withStores: true, withImages: true });
  const head = headComment(graph, plan, origin, [
    'docker-compose up -d      starts it; also: docker compose up -d',
    'docker-compose down -v    stops it',
    `curl -sS http://localhost:${port}/requests -H 'content-type: application/json' \\`,
    `  -d '${request.replaceAll("'", "'\\''")}'`,
  ]);
  return [
    { path: 'docker-compose.yml', text: composeYaml(options, head) },
    ...documentFiles({ ...options, place: inContainers }),
  ];
}

/** Files in `secrets/`, derived from one secret and never committed. */
export function composeSecrets(options: Omit<DocumentOptions, 'place'>): ManifestFile[] {
  const placed = { ...options, place: inContainers };
  return [...secretFiles(placed), ...userImageSecrets(placed)];
}
