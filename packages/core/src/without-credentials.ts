/** Removes credentials of web addresses from texts that are shown, stored or passed on. */

/** User, password or token before the last `@` of the host part; of a database, only a user with a password. */
const userInfo =
  /\b((?:https?|wss?|ftp|tcp|grpc(?:\+[a-z]+)?):\/{1,2})[^\s"'<>/?#]+@|\b([a-z][a-z\d+.-]*:\/\/)[^\s"'<>/?#@:]*:(?!\*{3}@)[^\s"'<>/?#]+@/gi;

/** The text with `***` in place of user and password in each address: `http://***@host/path`. */
export function withoutCredentials(text: string): string {
  return text.replace(userInfo, '$1$2***@');
}

/** Names in lower case whose values are secrets: `access_token`, `X-Amz-Signature`, `api-key`. */
const secretName =
  /(token|secret|passw(or)?d|passphrase|pwd|api-?_?key|signature|credentials?|session([-_]?id)?|jwt|(^|[-_.])(key|sig|auth(orization)?|pass|sid))$/;

/** Whether the value of a parameter of this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase());
}

/** Random characters, or a JSON web token. */
const secretValue = /^(?:[\w+/=-]{32,}|eyJ[\w-]+\..*)$/;

/**
 * A web address for people: `***` in place of user and password, `…` in place of values in its query that are secrets
 * by name or look like one.
 */
export function shownAddress({ protocol, username, password, host, pathname, search }: URL): string {
  const user = username !== '' || password !== '' ? '***@' : '';
  return `${protocol}//${user}${host}${pathname}${search.replace(/([?&])([^=&]*)=([^&]*)/g, shownParameter)}`;
}

function shownParameter(all: string, start: string, name: string, value: string): string {
  return isSecretName(name) || secretValue.test(value) ? `${start}${name}=…` : all;
}
