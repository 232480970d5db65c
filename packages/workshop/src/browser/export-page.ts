/** One self-contained HTML file: this page with the session as it is. It simulates from a disk, and saves nothing. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { withoutFolders } from './calibration-text.ts';
import { announce } from './element.ts';
import type { Session } from './session.ts';
import type { Start } from './start.ts';

type Known = Pick<Start, 'calibration' | 'remarks'>;

/** @param pristine the document as it was served */
export function exportPage(pristine: string, session: Session, known: Known): void {
  downloadText('topo-bench-workshop.html', exportedText(pristine, session, known, new Date()), 'text/html');
  announce('the page is exported');
}

export function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param now of the export */
function exportedText(pristine: string, session: Session, known: Known, now: Date): string {
  const [before = '', rest = ''] = pristine.split(opening, 2) as [string, string?];
  const end = rest.indexOf('</script>');
  const start = JSON.parse(rest.slice(0, end)) as Start;
  const remarks = known.remarks.map(withoutFolders);
  const calibration = withoutPlaces(known.calibration);
  const exported: Start = { ...start, ...known, remarks, calibration, exported: { session, at: now.toISOString() } };
  const after = pristine.slice(before.length + opening.length + end);
  return `<!doctype html>\n${before}${opening}${JSON.stringify(exported).replaceAll('<', '\\u003c')}${after}`;
}

/** An export leaves this machine: of paths it has the last part. */
function withoutPlaces({ fit, ...calibration }: Calibration): Calibration {
  const runs = fit?.runs.map((run) => run.split(/[/\\]/).at(-1) as string) ?? [];
  return { ...calibration, ...(fit && { fit: { ...fit, runs } }) };
}

const opening = '<script type="application/json" id="start">';
