/** The text of `docker-compose.yml`. Settings that all roles share are written once, as an anchor. */
import type { Graph } from '@topo-bench/topology';
import { Document, isScalar, isSeq, type Scalar, visit, type YAMLMap } from 'yaml';
import type { DeploymentPlan, RolePlan } from '../../deployment-plan.ts';
import { hostNameOf } from '../../host-name.ts';
import { type ComposeDatabase, databaseServices, dependsOnStores } from './database-service.ts';
import { roleSettings, sharedSettings } from './role-service.ts';
import { userImageServices } from './user-image-service.ts';

export interface ComposeYamlOptions {
  graph: Graph;
  plan: DeploymentPlan;
  image: string;
  /** Port of the first gateway on the host; those of the others follow. */
  port: number;
  databases?: readonly ComposeDatabase[];
}

/** @param head comment at the top */
export function composeYaml(options: ComposeYamlOptions, head: string): string {
  const { graph, plan, image, port, databases = [] } = options;
  // Gateways come first.
  const roles = plan.roles.map((role, at) => {
    const settings = { ...roleSettings(role, port + at), ...(keepsData(role, graph) && dependsOnStores) };
    return { name: hostNameOf(role.name), settings, comment: described(role, graph), isRole: true };
  });
  const all = [...roles, ...userImageServices(plan), ...databaseServices(databases, graph)];
  const services = all.map(({ name, settings }) => [name, settings]);
  const content = { 'x-role': sharedSettings(image), services: Object.fromEntries(services) };
  // YAML 1.1: docker-compose 1.29 reads `on` and `yes` as booleans, so such names need quotes.
  const document = new Document(content, { version: '1.1' });
  document.commentBefore = head;
  const root = document.contents as unknown as YAMLMap;
  const shared = root.get('x-role') as YAMLMap;
  shared.anchor = 'role';
  const { items } = root.get('services') as YAMLMap<Scalar, YAMLMap>;
  items.forEach(({ key, value }, index) => {
    const { isRole, comment } = all[index] as (typeof all)[number];
    if (isRole) value?.items.unshift(document.createPair('<<', document.createAlias(shared)));
    key.commentBefore = ` ${comment}`;
    key.spaceBefore = index > 0;
  });
  (root.items[1] as { key: Scalar }).key.spaceBefore = true;
  writeInline(document);
  return document.toString({ lineWidth: 0, singleQuote: true, directives: false, flowCollectionPadding: false });
}

function keepsData({ kind, responsibleFor: [index = -1] }: RolePlan, { services }: Graph): boolean {
  return kind === 'service' && services[index]?.persistence !== undefined;
}

function described({ name, kind, node }: RolePlan, { nodes }: Graph): string {
  const { name: nodeName, region } = nodes[node] as Graph['nodes'][number];
  const what = kind === name ? kind : `${kind} ${name}`;
  return `${what}, node ${nodeName} in ${region}`;
}

const maxInlineLength = 60;

/** Short lists of texts, and the entries of other lists, on one line each. */
function writeInline(document: Document): void {
  visit(document, {
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar) && list.items.join(', ').length <= maxInlineLength;
    },
    Map: (_key, map, path) => {
      if (isSeq(path.at(-1))) map.flow = true;
    },
  });
}
