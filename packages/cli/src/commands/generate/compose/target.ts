/** A Compose project for one Docker host. */
import { composeFiles, composeSecrets } from '@topo-bench/deployment/manifests';
import type { Target } from '../target.ts';
import { databasesOf, storeSecrets } from './databases.ts';

export const composeTarget: Target = {
  files: (project) => composeFiles({ ...project, databases: databasesOf(project.graph) }),
  secrets: (project, secrets) => {
    const { storeUrls, files } = storeSecrets(project.graph, secrets.secret);
    return [...composeSecrets({ ...project, ...secrets, storeUrls }), ...files];
  },
  // The roles run as another user than the owner of the files. The mode of the folder protects them on the host.
  secretMode: 0o644,
  start: 'docker-compose up -d',
};
