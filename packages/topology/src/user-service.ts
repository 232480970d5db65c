/** User-supplied services: their defaults, and which fields may be combined. */
import { isSecretName, withoutCredentials } from '@topo-bench/core';
import type { TopologyFile } from '@topo-bench/core/schema/topology';
import type { UserService } from '@topo-bench/core/schema/user-service';
import type { Finding } from './finding.ts';
import type { Path, SourceDocument } from './source-document.ts';

type Entry = TopologyFile['services'][number];
type ExplicitEntry = Extract<Entry, { name: string }>;

const kinds = ['command', 'url', 'image'] as const;
const defaultReadyWithinUs = 10_000_000;
const defaultPort = { env: 'PORT' };
/** Fields for starting or reaching a user-supplied service. */
const forStarted = ['port', 'env'] as const;
const forCommands = [...forStarted, 'cwd'] as const;
const forAll = ['path', 'health', 'readyWithin'] as const;
/** Fields with an address or a part of one. */
const addresses = ['url', 'path', 'health'] as const;
/** Fields for generated services only: a user-supplied service does its own work. */
const forGenerated = ['work', 'responseSize', 'arrow'] as const;

/**
 * @param baseDir folder of the topology file
 * @returns undefined for a generated service; the first kind if the entry has several, which is a finding
 */
export function userServiceOf(entry: Entry, baseDir: string): UserService | undefined {
  if (!('name' in entry)) return undefined;
  const { command, url, image, path = '/', health, readyWithin = defaultReadyWithinUs, port = defaultPort } = entry;
  const common = { path, readyWithinUs: readyWithin, ...(health !== undefined && { health }) };
  const env = Object.fromEntries(Object.entries(entry.env ?? {}).map(([name, value]) => [name, String(value)]));
  if (command !== undefined) {
    return { kind: 'command', command, port, env, baseDir, cwd: entry.cwd ?? '.', ...common };
  }
  if (url !== undefined) {
    const target = httpUrl(url);
    return {
      kind: 'url',
      origin: target?.origin ?? url,
      ...common,
      path: target ? target.pathname + target.search : path,
    };
  }
  return image === undefined ? undefined : { kind: 'image', image, port, env, ...common };
}

export function checkUserServices({ services }: TopologyFile): Finding[] {
  return services.flatMap((entry, index) => ('name' in entry ? checkEntry(entry, index) : []));
}

/** A variable is text. A number or a flag whose text is another one (`1.10`, `007`, `1e5`) would arrive changed. */
export function checkVariables({ services }: TopologyFile, source: SourceDocument): Finding[] {
  return services.flatMap((entry, index) =>
    Object.entries(('name' in entry ? entry.env : undefined) ?? {}).flatMap(([name, value]) =>
      changedVariable(['services', index, 'env', name], name, value, source),
    ),
  );
}

/** The same for the fields of a topology that an experiment sets or varies. @param at path of `value` in the source */
export function checkSetVariables(value: unknown, at: Path, source: SourceDocument): Finding[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => checkSetVariables(member, [...at, key], source));
  const [, name] = setVariable.exec(at.join('.')) ?? [];
  return name === undefined ? [] : changedVariable(at, name, value, source);
}

/** Levels of a factor are in a list. */
const setVariable = /^(?:set|factors)\.(?:topology\.)?services\b.*\.env\.([A-Za-z_]\w*)(?:\.\d+)?$/;

function changedVariable(path: Path, name: string, value: unknown, source: SourceDocument): Finding[] {
  const text = source.plainText(path, value);
  if (text === undefined || text === String(value)) return [];
  const message = `env.${name}: got the ${typeof value} ${text}, which would arrive as ${JSON.stringify(String(value))}`;
  return [{ path, code: 'TB_TOPOLOGY_USER_SERVICE' as const, message, unquoted: { value } }];
}

function checkEntry(entry: ExplicitEntry, index: number): Finding[] {
  const [kind, second] = kinds.filter((one) => entry[one] !== undefined);
  const finding = (field: string, message: string, hint?: string): Finding => ({
    path: ['services', index, field],
    code: 'TB_TOPOLOGY_USER_SERVICE',
    message: `${field} of "${entry.name}": ${message}`,
    ...(hint !== undefined && { hint }),
  });
  const present = <Field extends keyof ExplicitEntry>(fields: readonly Field[]): Field[] =>
    fields.filter((field) => entry[field] !== undefined);
  if (kind === undefined) {
    return present([...forCommands, ...forAll]).map((field) =>
      finding(field, 'only a service of your own has it', 'add `command`, `url` or `image`, or remove it'),
    );
  }
  if (second !== undefined)
    return [finding(second, `the service is a ${kind} already`, `keep one of ${kinds.join(', ')}`)];
  return [
    ...present(forGenerated).map((field) => finding(field, `your own service (${kind}) decides that itself`)),
    ...present(forCommands)
      .filter((field) => kind === 'url' || (kind === 'image' && field === 'cwd'))
      .map((field) =>
        finding(
          field,
          `only a command${field === 'cwd' ? '' : ' or an image'} has it, ${kind === 'image' ? 'not an' : 'not a'} ${kind}`,
        ),
      ),
    ...(kind === 'url' && entry.limits !== undefined
      ? [finding('limits', 'topo-bench does not start it', 'remove them, or limit it where you start it')]
      : []),
    ...(kind === 'url' && entry.path !== undefined ? [finding('path', 'the URL has a path of its own')] : []),
    ...present(addresses).flatMap((field) => {
      const secret = secretInUrl(entry[field] as string);
      return secret === undefined ? [] : [finding(field, secret, secretHint)];
    }),
    ...(kind === 'url' && !httpUrl(entry.url as string)
      ? [
          finding(
            'url',
            `${JSON.stringify(withoutCredentials(entry.url as string))} is not an http or https URL`,
            'write it in full, e.g. http://127.0.0.1:8080/price',
          ),
        ]
      : []),
  ];
}

const secretHint =
  'remove it; a `command` or `image` gets secrets by `env`, and a proxy of your own can add them to requests';

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** @returns what the address or path contains, as a part of a sentence; undefined for nothing secret */
function secretInUrl(text: string): string | undefined {
  const base = 'http://host';
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  if (url.username !== '' || url.password !== '') return 'it has user and password, which topo-bench does not send';
  const name = [...url.searchParams.keys()].find(isSecretName);
  return name === undefined ? undefined : `results and generated files would contain its parameter "${name}"`;
}
