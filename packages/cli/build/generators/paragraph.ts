/** Lines of a Markdown paragraph, at most 120 columns wide. A longer word has a line of its own. */
export function paragraph(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && [...longer].length <= 120) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
