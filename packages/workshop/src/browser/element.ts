/** Creates elements, and announces texts. */
export { h } from '@topo-bench/report/browser';

/** Announces a text to screen readers. */
export function announce(text: string): void {
  const region = document.getElementById('said');
  if (region) region.textContent = text;
}
