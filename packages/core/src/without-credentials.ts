/** Removes credentials of web addresses from texts that are shown, stored or passed on. */

/** User, password or token before the last `@` of the host part. */
const userInfo = /\b((?:https?|wss?|ftp|grpc(?:\+[a-z]+)?):\/\/)[^\s"'<>/?#]+@/gi;

/** The text with `***` in place of user and password in each address: `http://***@host/path`. */
export function withoutCredentials(text: string): string {
  return text.replace(userInfo, '$1***@');
}
