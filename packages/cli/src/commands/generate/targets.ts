/** The targets of `generate`, by name. The code of a target is loaded when it is chosen. */
import type { Target } from './target.ts';

export interface TargetEntry {
  description: string;
  load(): Promise<Target>;
}

export const targets = {
  compose: {
    description: 'a Compose project for Docker',
    load: async () => (await import('./compose/target.ts')).composeTarget,
  },
  kubernetes: {
    description: 'a Kustomize project for a cluster',
    load: async () => (await import('./kubernetes/target.ts')).kubernetesTarget,
  },
  local: {
    description: 'documents and a script that starts the roles on this machine',
    load: async () => (await import('./local/target.ts')).localTarget,
  },
} as const satisfies Record<string, TargetEntry>;

export type TargetName = keyof typeof targets;
