/** Saves the text of the page. */
import { sentence } from './sentence.ts';
import type { Store } from './store.ts';

/** @returns what became of it, in words */
export async function saveText(store: Store): Promise<string> {
  const { topology, rules } = store.state;
  const body = JSON.stringify({ topology, rules, before: store.start.texts });
  try {
    const response = await fetch('save', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { saved?: string; message?: string; hint?: string };
    if (answer.saved === undefined) return `not saved: ${sentence(answer)}`;
    // Rules of a link are not saved where the opened topology names no rule file.
    const hasRules = store.start.texts.rules !== undefined;
    store.start.texts = { topology, ...(hasRules && rules !== undefined && { rules }) };
    // The text may have changed since; only whether it is saved is new.
    store.set({ topology: store.state.topology });
    return `saved ${answer.saved}`;
  } catch {
    return 'not saved: the server of the workshop does not answer. Export the page to keep your work.';
  }
}
