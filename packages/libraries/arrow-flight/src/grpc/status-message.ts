/** Percent-encoding of `grpc-message`: a header value must be printable ASCII (gRPC over HTTP/2, "Responses"). */

/** Longer messages are truncated: headers are for people, and peers limit them (8 KiB by default). */
const maxCharacters = 900;

export function encodeStatusMessage(message: string): string {
  const cut = message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message;
  const bytes = Buffer.from(cut, 'utf8');
  let encoded = '';
  for (const [i, byte] of bytes.entries()) {
    // Header values cannot start or end with a space.
    const atEnd = i === 0 || i === bytes.length - 1;
    const plain = byte >= (atEnd ? 0x21 : 0x20) && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** Never throws: keeps malformed escapes unchanged. */
export function decodeStatusMessage(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
