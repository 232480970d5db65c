/** Length of a text in UTF-8, without encoding it and without Node.js. */

/** Bytes of the text in UTF-8. An unpaired surrogate counts as its replacement character: 3 bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else {
      bytes += 2;
      // A pair of surrogates takes 4 bytes.
      if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    }
  }
  return bytes;
}
