/**
 * Host names of roles in containers. A name of the topology may have upper case, dots, underscores and, with a suffix
 * such as `-sidecar`, more than 63 characters; DNS labels and Kubernetes Services may not.
 */
import { createHash } from 'node:crypto';

const maxLength = 63;
const hashDigits = 10;

/** RFC 1035 label, the strictest form: Kubernetes Services begin with a letter. */
const label = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;
const endsInHash = new RegExp(`-[0-9a-f]{${hashDigits}}$`);
/** Hosts files resolve this name to loopback. */
const reserved = /^localhost$/;

/**
 * The host name of a role: its name in lower case where that is a DNS label, else the usable part of it and a hash of
 * the whole. Roles of a topology differ in more than letter case, so their host names differ.
 */
export function hostNameOf(roleName: string): string {
  const name = roleName.toLowerCase();
  if (isLabel(name) && !endsInHash.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashDigits);
  const usable = name.replace(/[^a-z0-9]+/g, '-').replace(/^(?=[^a-z])/, 'r');
  return `${usable.slice(0, maxLength - hashDigits - 1).replace(/-+$/, '')}-${hash}`;
}

function isLabel(name: string): boolean {
  return name.length <= maxLength && label.test(name) && !reserved.test(name);
}

/** Host name of the container of a user-supplied image. The dot keeps it apart from the host names of roles. */
export function userHostOf(role: string): string {
  return `user.${hostNameOf(role)}`;
}
