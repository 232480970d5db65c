/** Which rows lose which values: the redactions of a batch's decisions as a tree of columns and members, with a mask of rows at each. */
import type { Decision } from '@topo-bench/core/facts';
import { steps } from './pointer-steps.ts';

/** Rows by their place in the result; `all` stands for every one. */
export type RowMask = Uint8Array | 'all';

export interface Edit {
  remove?: RowMask;
  pseudonymise?: RowMask;
  members: Map<string, Edit>;
}

/**
 * @param decisions by code; @param codes of the rows that stay, undefined when they share the code 0
 * @returns the edit of the row as a whole: its members are columns
 */
export function editsOf(
  decisions: readonly (Decision | undefined)[],
  codes: Int32Array | undefined,
  present: readonly number[],
): Edit {
  const root: Edit = { members: new Map() };
  for (const action of ['remove', 'pseudonymise'] as const) {
    const pointers = new Set(present.flatMap((code) => [...(decisions[code]?.[action] ?? [])]));
    for (const pointer of pointers) {
      const meets = (code: number): boolean => decisions[code]?.[action].includes(pointer) ?? false;
      editAt(root, pointer)[action] = maskOf(codes, present, meets);
    }
  }
  return root;
}

function maskOf(codes: Int32Array | undefined, present: readonly number[], meets: (code: number) => boolean): RowMask {
  if (!codes || present.every(meets)) return 'all';
  const byCode: number[] = [];
  for (const code of present) byCode[code] = Number(meets(code));
  return Uint8Array.from(codes, (code) => byCode[code] as number);
}

function editAt(root: Edit, pointer: string): Edit {
  let edit = root;
  for (const step of steps(pointer)) {
    let member = edit.members.get(step);
    if (!member) {
      member = { members: new Map() };
      edit.members.set(step, member);
    }
    edit = member;
  }
  return edit;
}

export function isMasked(mask: RowMask | undefined, row: number): boolean {
  return mask !== undefined && (mask === 'all' || mask[row] === 1);
}
