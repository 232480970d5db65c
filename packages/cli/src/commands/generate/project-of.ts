/** The facts of a project that all targets need, from a topology and the flags. */
import { planDeployment } from '@topo-bench/deployment';
import type { Graph } from '@topo-bench/topology';
import { exampleRequest } from '../../example-request.ts';
import { version } from '../../version.ts';
import type { Project } from './target.ts';

/** As in `up`: one deployment, not one of many repetitions. */
const seed = 1;

const defaultPort = 8080;

/** Keeps the command with the request readable. */
const maxText = 12;

export interface ProjectChoices {
  image?: string | undefined;
  port?: number | undefined;
}

/** @param command writes the project again when called in its folder */
export function projectOf(graph: Graph, command: string, { image, port }: ProjectChoices = {}): Project {
  return {
    graph,
    plan: planDeployment(graph),
    seed,
    origin: { version: version(), command },
    image: image ?? `topo-bench/service:${version()}`,
    request: exampleRequest(graph, maxText),
    port: port ?? defaultPort,
  };
}
