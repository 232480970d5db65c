/** Text in a terminal: free of control characters, wrapped, and with colours and weight or none. */
import pc from 'picocolors';

export type Styles = ReturnType<typeof pc.createColors>;

export function stylesFor(colours: boolean): Styles {
  return pc.createColors(colours);
}

/** Replaces control characters, which could move the cursor, recolour or retitle the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '�');
}

/** Wraps text between words, in lines of max `width` characters. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
