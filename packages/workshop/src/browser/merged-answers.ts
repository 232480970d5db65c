/** Joins the answers of several workers, each for some architectures, to answers for all of them. */
import type { Answer } from '../predict/answer.ts';

type Of<Kind extends Answer['kind']> = Extract<Answer, { kind: Kind }>;

/** @returns takes the answers of a worker; `emit` gets one when every worker has answered */
export function merged(workers: number, emit: (answer: Answer) => void): (worker: number, answer: Answer) => void {
  const reads = new Map<number, Of<'read'>>();
  const cells = new Map<number, Of<'cells'>>();
  const details = new Map<number, Of<'details'>>();
  let shown = 0;
  let hasFailed = false;
  return (worker, answer) => {
    // What follows would hide the failure.
    if (hasFailed) return;
    if (answer.kind === 'failed') {
      hasFailed = true;
      emit(answer);
    } else if (answer.kind === 'read') {
      reads.set(worker, answer);
      if (reads.size === workers) emit({ ...answer, drawings: drawingsOf([...reads.values()]) });
    } else if (answer.kind === 'details') {
      details.set(worker, answer);
      if (details.size < workers) return;
      const all = [...details.values()].flatMap((one) => one.details);
      emit({ kind: 'details', details: inOrder(all, [...reads.values()]) });
    } else {
      cells.set(worker, answer);
      const all = [...cells.values()];
      const done = Math.min(...all.map((one) => one.done));
      // A worker that is ahead is shown with the others.
      if (reads.size < workers || cells.size < busy(reads) || done === shown) return;
      shown = done;
      emit({
        ...answer,
        done,
        cells: inOrder(
          all.flatMap((one) => one.cells),
          [...reads.values()],
        ),
      });
    }
  };
}

/** Workers that have an architecture. */
function busy(reads: ReadonlyMap<number, Of<'read'>>): number {
  return [...reads.values()].filter(({ drawings }) => Object.keys(drawings).length > 0).length;
}

function drawingsOf(reads: readonly Of<'read'>[]): Of<'read'>['drawings'] {
  const all = Object.assign({}, ...reads.map(({ drawings }) => drawings)) as Of<'read'>['drawings'];
  const names = reads[0]?.compared ?? [];
  return Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

function inOrder<Found extends { architecture: string }>(found: Found[], reads: readonly Of<'read'>[]): Found[] {
  const names = reads[0]?.compared ?? [];
  return found.toSorted((a, b) => names.indexOf(a.architecture) - names.indexOf(b.architecture));
}
