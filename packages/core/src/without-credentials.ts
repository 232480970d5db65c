/** Texts that are shown, stored or passed on hold no credentials of web addresses. */

/** User, password or token before the last `@` of the host part. */
const userInfo = /\b((?:https?|wss?|ftp|grpc(?:\+[a-z]+)?):\/\/)[^\s"'<>/?#]+@/gi;

/** The text with `***` in place of user and password in each address: `http://***@host/path`. */
export function withoutCredentials(text: string): string {
  return text.replace(userInfo, '$1***@');
}
