/** Text that arrives in pieces, as lines. */

/** @returns takes the next piece; calls `onLine` with each line that it completes, without its end */
export function lineReader(onLine: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) onLine(line);
  };
}
