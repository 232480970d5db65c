/** Applies a decision's redactions to the copy of a payload that one target gets. */
import { createHmac } from 'node:crypto';
import type { Decision } from '@topo-bench/core/facts';

export type Redaction = Pick<Decision, 'remove' | 'pseudonymise'>;

/** What happens to a member, or, further down, to its members. */
interface Edit {
  action: 'remove' | 'pseudonymise' | undefined;
  members: Map<string, Edit>;
}

/**
 * The payload as the target may see it. The original stays as it is; parts without redactions are shared with it.
 * Every pointer (RFC 6901) is about the original, so their order means nothing: of a pointer and one below it, the upper
 * decides; a pointer in both lists is removed; one to a missing member does nothing. List elements leave no gap.
 * @param key of this run's pseudonyms
 */
export function redactPayload(payload: Record<string, unknown>, redaction: Redaction, key: string): Record<string, unknown> {
  const root: Edit = { action: undefined, members: new Map() };
  for (const pointer of redaction.pseudonymise) editAt(root, pointer).action = 'pseudonymise';
  for (const pointer of redaction.remove) editAt(root, pointer).action = 'remove';
  return edited(payload, root, key) as Record<string, unknown>;
}

/** HMAC-SHA-256 of the value's JSON text, as base64url: equal values of one run have equal pseudonyms. */
export function pseudonym(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url');
}

function editAt(root: Edit, pointer: string): Edit {
  let edit = root;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    let member = edit.members.get(name);
    if (!member) {
      member = { action: undefined, members: new Map() };
      edit.members.set(name, member);
    }
    edit = member;
  }
  return edit;
}

function edited(value: unknown, edit: Edit, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const removed: string[] = [];
  const changed: [string, unknown][] = [];
  for (const [name, { action, members }] of edit.members) {
    if (!hasMember(value, name)) continue;
    const member = (value as Record<string, unknown>)[name];
    if (action === 'remove') removed.push(name);
    else {
      const next = action === 'pseudonymise' ? pseudonym(member, key) : edited(member, { action, members }, key);
      if (next !== member) changed.push([name, next]);
    }
  }
  if (removed.length + changed.length === 0) return value;
  // Own members only, so that assigning to "__proto__" here writes a member like any other.
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const [name, next] of changed) copy[name] = next;
  if (Array.isArray(copy)) return copy.filter((_, i) => !removed.includes(String(i)));
  for (const name of removed) delete copy[name];
  return copy;
}

function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && !(Array.isArray(value) && name === 'length');
}
