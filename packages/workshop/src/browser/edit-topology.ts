/**
 * Edits of a topology file by its document: comments and layout of everything else stay. Each function returns the new
 * text, or the same one where nothing is to change.
 */
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, YAMLSeq } from 'yaml';

/** A service as drawn: generated services have names and nodes only there. */
export interface Placed {
  name: string;
  node: string;
}

const format = { lineWidth: 0, flowCollectionPadding: true } as const;

export function moveService(text: string, name: string, node: string, drawn: readonly Placed[]): string {
  return edited(text, (document) => serviceIn(document, name, drawn)?.set('node', node));
}

export function renameService(text: string, name: string, to: string, drawn: readonly Placed[]): string {
  return edited(text, (document) => {
    serviceIn(document, name, drawn)?.set('name', to);
    eachName(document.get('flow'), (scalar) => {
      if (scalar.value === name) scalar.value = to;
    });
  });
}

export function deleteService(text: string, name: string, drawn: readonly Placed[]): string {
  return edited(text, (document) => {
    const service = serviceIn(document, name, drawn);
    const services = servicesOf(document);
    if (service) services.items.splice(services.items.indexOf(service), 1);
    const flow = document.get('flow');
    if (isSeq(flow)) withoutName(flow, name);
  });
}

/** Adds it at the end of the flow. */
export function addService(text: string, { name, node }: Placed): string {
  return edited(text, (document) => {
    if (!isSeq(document.get('services'))) document.set('services', new YAMLSeq());
    const services = servicesOf(document);
    const entry = document.createNode({ name, node });
    entry.flow = true;
    services.add(entry);
    const flow = document.get('flow');
    if (isSeq(flow)) flow.add(document.createNode(name));
  });
}

/** Sets the delay between two places, and adds the link where there is none. */
export function setDelay(text: string, from: string, to: string, delay: string): string {
  return edited(text, (document) => {
    if (!isSeq(document.get('links'))) document.set('links', new YAMLSeq());
    const links = document.get('links') as YAMLSeq<YAMLMap>;
    const isSame = (link: YAMLMap): boolean => {
      const ends = [link.get('from'), link.get('to')];
      return ends.includes(from) && ends.includes(to) && (from !== to || ends[0] === ends[1]);
    };
    const known = links.items.find((link) => isMap(link) && isSame(link as YAMLMap));
    if (known) known.set('delay', delay);
    else {
      const link = document.createNode({ from, to, delay });
      link.flow = true;
      links.add(link as YAMLMap);
    }
  });
}

function edited(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  change(document);
  return withOldLines(text, document.toString(format));
}

/** The writer pads lists: lines that differ in padding only stay as they were, and others get none. */
function withOldLines(before: string, after: string): string {
  const old = new Map(before.split('\n').map((line) => [unpadded(line), line]));
  return after
    .split('\n')
    .map((line) => old.get(unpadded(line)) ?? (/["'#]/.test(line) ? line : unpadded(line)))
    .join('\n');
}

function unpadded(line: string): string {
  return line.replaceAll(/\[ +(?=\S)/g, '[').replaceAll(/(?<=\S) +\]/g, ']');
}

function servicesOf(document: Document): YAMLSeq<YAMLMap> {
  return document.get('services') as YAMLSeq<YAMLMap>;
}

/** The entry of a service. Generated services are written out first, each on the node where it is drawn. */
function serviceIn(document: Document, name: string, drawn: readonly Placed[]): YAMLMap | undefined {
  const services = servicesOf(document);
  if (!isSeq(services)) return undefined;
  const find = (): YAMLMap | undefined => services.items.find((entry) => isMap(entry) && entry.get('name') === name);
  const explicit = find();
  if (explicit) return explicit;
  const named = new Set(services.items.map((entry) => entry.get('name')));
  services.items = services.items.flatMap((entry) => {
    if (!entry.has('generate')) return [entry];
    const { generate: _, prefix = 'svc', ...fields } = entry.toJSON() as Record<string, unknown>;
    const own = drawn.filter((service) => !named.has(service.name) && isGenerated(service.name, String(prefix)));
    return own.map((service, at) => {
      const written = document.createNode({ ...service, ...fields }) as YAMLMap;
      written.flow = true;
      if (at === 0 && entry.commentBefore) written.commentBefore = entry.commentBefore;
      return written;
    });
  });
  services.flow = false;
  return find();
}

function isGenerated(name: string, prefix: string): boolean {
  return name.startsWith(`${prefix}-`) && /^\d+$/.test(name.slice(prefix.length + 1));
}

function eachName(flow: unknown, visit: (scalar: { value: unknown }) => void): void {
  if (isScalar(flow)) visit(flow);
  else if (isSeq(flow)) for (const item of flow.items) eachName(item, visit);
}

/** Removes a name and the groups that are empty without it; a group of one stays. */
function withoutName(flow: YAMLSeq, name: string): void {
  flow.items = flow.items.filter((item) => {
    if (isScalar(item)) return item.value !== name;
    if (!isSeq(item)) return true;
    withoutName(item, name);
    return item.items.length > 0;
  }) as Node[];
}
