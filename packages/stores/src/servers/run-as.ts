/** Whom a server runs as that refuses to run as root: the user without any rights, else ourselves. */

const nobody = 65_534;

export interface RunAs {
  uid?: number;
  gid?: number;
}

export function unprivileged(): RunAs {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}
