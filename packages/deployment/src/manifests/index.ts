/** A deployment as files: what the verb `generate` writes. Pure: from a plan to texts. */

export { type ComposeOptions, composeFiles, composeSecrets } from './compose/compose-files.ts';
export type { ComposeDatabase } from './compose/database-service.ts';
export { databasePaths } from './compose/database-service.ts';

export { requireDeployable } from './deployable.ts';
export { documentFiles, secretFiles } from './document-files.ts';
export { headComment, type ManifestOrigin } from './head-comment.ts';
export { type KustomizeOptions, kustomizeFiles, kustomizeSecrets } from './kustomize/kustomize-files.ts';
export type { ManifestFile } from './manifest-file.ts';
