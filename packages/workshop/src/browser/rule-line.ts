/**
 * Line of the rule with that id in the text of rules, from 1.
 * @returns undefined where none states it, e.g. for a generated rule
 */
export function ruleLine(text: string | undefined, id: string): number | undefined {
  const escaped = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(`^[^#\\n]*(?<![\\w.-])id:\\s*["']?${escaped}["']?\\s*(?:[,}#]|$)`, 'm').exec(text ?? '');
  return found ? found.input.slice(0, found.index).split('\n').length : undefined;
}
