/**
 * Finds values in rules that nothing in the topology has and that resemble one that it has: `contains paymnt` for the
 * tag `payment`. Such a condition is valid and never true, so that its rule decides nothing.
 */
import { nearestName, parseOperator, parseRulePath } from '@topo-bench/core';
import type { Comparison, Condition, RulesFile } from '@topo-bench/core/schema/rules';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import type { Finding } from './finding.ts';
import type { ListedService } from './list-services.ts';
import type { Path } from './source-document.ts';

/** Values that a member of a fact can have; the noun is that of a message. */
interface Known {
  noun: string;
  values: ReadonlySet<string>;
}

/** Operators whose value is one of the values of the fact, or a list of them. */
const exactOperators = ['equal', 'notEqual', 'contains', 'doesNotContain', 'in', 'notIn'];

export function checkRuleValues(
  rules: RulesFile,
  topology: TopologyFile,
  services: readonly ListedService[],
): Finding[] {
  const known = knownValues(topology, services);
  return [
    ...Object.entries(rules.conditions).flatMap(([name, condition]) =>
      valuesIn(condition, ['conditions', name], known),
    ),
    ...rules.rules.flatMap(({ when }, i) => valuesIn(when, ['rules', i, 'when'], known)),
  ];
}

function knownValues(topology: TopologyFile, services: readonly ListedService[]): Record<string, Known> {
  const { nodes, requests } = topology;
  const regions = nodes.map(({ region }) => region);
  const names = services.map(({ name }) => name);
  const origins = requests.classes.flatMap(({ origin }) =>
    typeof origin === 'string' ? [origin] : Object.keys(origin),
  );
  const consents = requests.classes.flatMap((one) =>
    Array.isArray(one.consents) ? one.consents : Object.keys(one.consents),
  );
  const known = (noun: string, values: readonly string[]): Known => ({ noun, values: new Set(values) });
  return {
    'request.class': known(
      'class of requests',
      requests.classes.map(({ name }) => name),
    ),
    'request.origin': known('origin of requests', [...origins, ...regions]),
    'request.purpose': known(
      'purpose of requests',
      requests.classes.map(({ purpose }) => purpose),
    ),
    'request.categories': known('category of data', textsAt(topology, 'category')),
    // A consent may be one to a service, by its name.
    'request.consents': known('consent', [...consents, ...names]),
    'target.service': known('service', names),
    'target.node': known(
      'node',
      nodes.map(({ name }) => name),
    ),
    'target.region': known('region', regions),
    'target.tags': known('tag of a service', textsAt(topology, 'tags')),
    'flow.services': known('service', names),
    'flow.regions': known('region', regions),
  };
}

/** All texts under keys of this name, wherever they are: services, their columns and items, classes of requests. */
function textsAt(value: unknown, key: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsAt(one, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== key) return textsAt(inner, key);
    return (Array.isArray(inner) ? inner : [inner]).filter((one): one is string => typeof one === 'string');
  });
}

function valuesIn(condition: Condition, path: Path, known: Record<string, Known>): Finding[] {
  if ('all' in condition) return condition.all.flatMap((part, i) => valuesIn(part, [...path, 'all', i], known));
  if ('any' in condition) return condition.any.flatMap((part, i) => valuesIn(part, [...path, 'any', i], known));
  if ('not' in condition) return valuesIn(condition.not, [...path, 'not'], known);
  return 'condition' in condition ? [] : valuesOf(condition, [...path, 'value'], known);
}

function valuesOf(
  { fact, path: text = '$', operator, value }: Comparison,
  path: Path,
  known: Record<string, Known>,
): Finding[] {
  const [member = '', ...deeper] = parseRulePath(text) ?? [];
  const found = known[`${fact}.${member}`];
  const base = parseOperator(operator)?.base;
  const isElement = deeper.length === 0 || (deeper.length === 1 && /^\d+$/.test(String(deeper[0])));
  if (!found || !isElement || base === undefined || !exactOperators.includes(base)) return [];
  if (Array.isArray(value)) return value.flatMap((one, i) => misspelt(one, [...path, i], found));
  // `in` with a text searches a substring.
  return base === 'in' || base === 'notIn' ? [] : misspelt(value, path, found);
}

function misspelt(value: unknown, path: Path, { noun, values }: Known): Finding[] {
  if (typeof value !== 'string' || values.has(value)) return [];
  const nearest = nearestName(value, [...values]);
  if (nearest === undefined) return [];
  return [
    {
      path,
      code: 'TB_RULES_UNKNOWN_VALUE',
      message: `no ${noun} in the topology is ${JSON.stringify(value)}: the condition never finds it`,
      hint: `did you mean ${JSON.stringify(nearest)}?`,
      severity: 'warning',
    },
  ];
}
