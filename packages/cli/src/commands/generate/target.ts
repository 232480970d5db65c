/** The port of all targets: from a planned topology to the files that deploy it. */
import type { FlightSecrets } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { ManifestFile, ManifestOrigin } from '@topo-bench/deployment/manifests';
import type { Graph } from '@topo-bench/topology';

export interface Project {
  graph: Graph;
  plan: DeploymentPlan;
  seed: number;
  origin: ManifestOrigin;
  image: string;
  /** JSON text of a request to try. */
  request: string;
  /** Port of the gateway on the machine of the user. */
  port: number;
}

export interface ProjectSecrets {
  /** All others are derived from it. */
  secret: string;
  flightSecrets: Readonly<Record<string, FlightSecrets>>;
}

export interface Target {
  /** Files to commit. */
  files(project: Project): ManifestFile[];
  /** Files that are never committed, all in `secrets/`. */
  secrets(project: Project, secrets: ProjectSecrets): ManifestFile[];
  /** Mode of these files; their folder has 0700. */
  secretMode: number;
  /** Command that starts the project, in its folder. */
  start: string;
}
