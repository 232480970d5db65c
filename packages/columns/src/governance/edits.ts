/** The redactions of a batch's decisions as a tree of columns and members, with a row mask at each node. */
import type { BatchDecisions } from './batch-decisions.ts';
import type { RowMask } from './row-masks.ts';

export interface Edit {
  remove?: RowMask;
  pseudonymise?: RowMask;
  members: Map<string, Edit>;
}

/**
 * @param kept codes of the remaining rows
 * @returns the edit of the whole row; its members are columns
 */
export function editsOf({ decisions, rowsOf }: BatchDecisions, kept: readonly number[]): Edit {
  const root: Edit = { members: new Map() };
  /** Pointers withheld for the same codes share one mask. */
  const masks = new Map<string, RowMask>();
  for (const action of ['remove', 'pseudonymise'] as const) {
    const pointers = new Set(kept.flatMap((code) => [...(decisions[code]?.[action] ?? [])]));
    for (const pointer of pointers) {
      const losing = kept.filter((code) => decisions[code]?.[action].includes(pointer));
      const key = losing.join();
      const mask = masks.get(key) ?? (losing.length < kept.length ? rowsOf(losing) : 'all');
      masks.set(key, mask);
      editAt(root, pointer)[action] = mask;
    }
  }
  return root;
}

function editAt(root: Edit, pointer: string): Edit {
  let edit = root;
  for (const step of pointerSteps(pointer)) {
    let member = edit.members.get(step);
    if (!member) {
      member = { members: new Map() };
      edit.members.set(step, member);
    }
    edit = member;
  }
  return edit;
}

/** The member names of a JSON pointer (RFC 6901), outermost first. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
