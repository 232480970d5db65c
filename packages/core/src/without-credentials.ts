/** Removes credentials of web addresses from texts that are shown, stored or passed on. */

/** User, password or token before the last `@` of the host part. */
const userInfo = /\b((?:https?|wss?|ftp|grpc(?:\+[a-z]+)?):\/\/)[^\s"'<>/?#]+@/gi;

/** The text with `***` in place of user and password in each address: `http://***@host/path`. */
export function withoutCredentials(text: string): string {
  return text.replace(userInfo, '$1***@');
}

/** Parameters of a query whose values are secrets by their name, such as `api_key` or `X-Amz-Signature`. */
const secretName =
  /token|secret|passw|pwd|signature|credential|session|auth|jwt|api-?_?key|(?:^|[-_.])(?:key|sig|pass|code|sid)$/i;
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
  return secretName.test(name) || secretValue.test(value) ? `${start}${name}=…` : all;
}
