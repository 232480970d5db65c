/** Printed by `up` once a topology is ready: commands to copy, and only URLs that lead through enforcement. */
import { clientUser, enforcedItemsPath, factHeaders, shellWord } from '@topo-bench/core';
import { type DeploymentPlan, replicasOfPoint } from '@topo-bench/deployment';
import type { Deployment } from '@topo-bench/runners';
import { type Graph, gatewayName } from '@topo-bench/topology';
import { exampleRequest, firstRequest } from '../../example-request.ts';
import { note, printJson, printLine } from '../../output.ts';
import type { ClientFiles } from '../../running-topology.ts';

export interface Announcement {
  deployment: Pick<Deployment, 'gatewayUrl' | 'roles'>;
  graph: Graph;
  plan: DeploymentPlan;
  /** Files with the token for clients. */
  files: ClientFiles;
}

interface Advertised {
  name: string;
  role: string;
  url: string;
  flightUrl?: string;
  itemsUrl?: string;
  enforcedBy?: string;
}

export function announceJson(announcement: Announcement): void {
  const { deployment, files } = announcement;
  const { gatewayUrl } = deployment;
  const gateways = gatewaysOf(announcement);
  printJson({ gatewayUrl, ...(gateways.length > 1 && { gateways }), services: advertised(announcement), ...files });
}

export function announceText(announcement: Announcement): void {
  const { deployment, graph, files } = announcement;
  printLine(`${graph.name} is up: ${deployment.roles.length} processes, ${graph.enforcement.architecture}`);
  const gateways = gatewaysOf(announcement);
  for (const { name, region, url } of gateways) {
    printLine(`${name}: ${url}${gateways.length > 1 ? ` (requests from ${region})` : ''}`);
  }
  printLine('try it:');
  printLine(`  ${requestLine(deployment.gatewayUrl, graph)}`);
  const token = `-H @${shellWord(files.headersFile)}`;
  for (const service of advertised(announcement)) {
    const { arrow } = graph.services.find(({ name }) => name === service.name) ?? {};
    if (service.itemsUrl) printLine(`  curl -sS '${service.itemsUrl}?limit=2' ${token} ${factsOf(graph)}`);
    if (arrow && service.role === 'service') {
      const access = arrow.open ? '' : ` ${token}`;
      printLine(`  curl -sS ${service.url}/arrow${access} -H 'accept: application/x-ndjson' | head -n 3`);
    }
    if (service.flightUrl) printLine(`  ${flightLine(service.flightUrl, arrow, files)}`);
    if (service.enforcedBy) {
      printLine(`  ${service.name} only receives data from ${service.enforcedBy}: send requests to ${service.url}`);
    }
  }
  note('Ctrl-C stops it');
}

/** In the order of the graph; the first also takes requests of all other origins. */
function gatewaysOf({ deployment, graph }: Announcement): { name: string; region: string; url: string }[] {
  const urls = new Map(deployment.roles.map(({ name, url }) => [name, url]));
  return graph.gateways.map(({ name, region }) => ({ name, region, url: urls.get(name) ?? deployment.gatewayUrl }));
}

/** Hides the address of a user-supplied service behind an enforcement point: clients reach it through the gateway. */
function advertised({ deployment, graph, plan }: Announcement): Advertised[] {
  const urls = new Map(deployment.roles.map(({ name, url }) => [name, url]));
  return deployment.roles.map(({ name, kind, url, flightUrl }) => {
    const service = kind === 'service' ? graph.services.find((one) => one.name === name) : undefined;
    const executor = service && (plan.executorOf[service.index] as string);
    const isEnforced = executor !== undefined && executor !== name;
    if (service?.user && isEnforced) {
      return {
        name,
        role: kind,
        url: `${urls.get(gatewayName)}/requests`,
        enforcedBy: replicasOfPoint(plan, executor).join(', '),
      };
    }
    const itemsUrl =
      service?.persistence && (isEnforced ? `${urls.get(executor)}${enforcedItemsPath(name)}` : `${url}/items`);
    return { name, role: kind, url, ...(flightUrl && { flightUrl }), ...(itemsUrl && { itemsUrl }) };
  });
}

function flightLine(url: string, arrow: Graph['services'][number]['arrow'], { tokenFile }: ClientFiles): string {
  const protocol = `Arrow Flight${arrow?.flight?.sql ? ' and Flight SQL' : ''}: ${url}`;
  const { login } = arrow?.flight ?? {};
  if (login) return `${protocol} (log in as ${login.user}, with the password in the variable ${login.password})`;
  return arrow?.open ? protocol : `${protocol} (log in as ${clientUser}, with the password in ${tokenFile})`;
}

/** A curl command with a request of the topology's first class. */
function requestLine(gatewayUrl: string, graph: Graph): string {
  const body = exampleRequest(graph).replaceAll("'", "'\\''");
  return `curl -sS ${gatewayUrl}/requests -H 'content-type: application/json' -d '${body}'`;
}

function factsOf(graph: Graph): string {
  const { class: name, origin, purpose, consents } = firstRequest(graph);
  const facts = {
    [factHeaders.class]: name,
    [factHeaders.origin]: origin,
    [factHeaders.purpose]: purpose,
    ...(consents.length > 0 && { [factHeaders.consents]: consents.join(',') }),
  };
  return Object.entries(facts)
    .map(([header, value]) => `-H '${header}: ${value}'`)
    .join(' ');
}
