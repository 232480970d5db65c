/** Documents and a script that starts the roles as processes of one machine. */
import { documentFiles, headComment, requireDeployable, secretFiles } from '@topo-bench/deployment/manifests';
import type { Target } from '../target.ts';
import { onFixedPorts } from './placement.ts';
import { startScript } from './start-script.ts';

export const localTarget: Target = {
  files: (project) => {
    const { graph, plan, origin, request, port } = project;
    requireDeployable(graph);
    const head = headComment(graph, plan, origin, [
      'node start.mjs    starts it; Ctrl-C stops it',
      `curl -sS http://localhost:${port}/requests -H 'content-type: application/json' \\`,
      `  -d '${request.replaceAll("'", "'\\''")}'`,
    ]);
    const text = startScript(head, `http://localhost:${port}`);
    return [{ path: 'start.mjs', text }, ...documentFiles({ ...project, place: onFixedPorts(project) })];
  },
  secrets: (project, secrets) => secretFiles({ ...project, ...secrets, place: onFixedPorts(project) }),
  // Only the user who starts the roles reads them.
  secretMode: 0o600,
  start: 'node start.mjs',
};
