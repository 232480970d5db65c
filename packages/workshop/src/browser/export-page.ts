/** One self-contained HTML file: this page with the session as it is. It simulates from a disk, and saves nothing. */
import { announce } from './element.ts';
import type { Session } from './session.ts';
import type { Start } from './start.ts';

/** @param pristine the document as it was served */
export function exportPage(pristine: string, session: Session): void {
  const url = URL.createObjectURL(new Blob([exportedText(pristine, session, new Date())], { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'topo-bench-workshop.html';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  announce('the page is exported');
}

/** @param now of the export */
function exportedText(pristine: string, session: Session, now: Date): string {
  const [before = '', rest = ''] = pristine.split(opening, 2) as [string, string?];
  const end = rest.indexOf('</script>');
  const start = JSON.parse(rest.slice(0, end)) as Start;
  const exported: Start = { ...start, exported: { session, at: now.toISOString() } };
  const after = pristine.slice(before.length + opening.length + end);
  return `<!doctype html>\n${before}${opening}${JSON.stringify(exported).replaceAll('<', '\\u003c')}${after}`;
}

const opening = '<script type="application/json" id="start">';
