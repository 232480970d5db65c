/** Splits text chunks into lines. */

/** @returns accepts the next chunk and calls `onLine` with each completed line, without its end */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) onLine(line);
  };
}
