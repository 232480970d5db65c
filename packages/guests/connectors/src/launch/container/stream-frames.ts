/**
 * The attached stream of a container without a terminal: frames of standard output and error, each with a header of
 * eight bytes. The library's reader ignores back-pressure, and would keep the output of a fast program in memory.
 */

const headerBytes = 8;
const standardError = 2;

/**
 * @param onError called with text of standard error
 * @returns the bytes of standard output
 */
export async function* standardOutput(
  stream: AsyncIterable<Buffer>,
  onError: (text: string) => void,
): AsyncGenerator<Buffer, void, void> {
  let header = Buffer.alloc(0);
  let [left, isError] = [0, false];
  for await (const chunk of stream) {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        const taken = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, taken)]);
        rest = rest.subarray(taken);
        if (header.length < headerBytes) break;
        left = header.readUInt32BE(4);
        isError = header[0] === standardError;
        header = Buffer.alloc(0);
        continue;
      }
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      if (isError) onError(part.toString());
      else yield part;
    }
  }
}
