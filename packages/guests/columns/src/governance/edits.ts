/** The redactions of a decision as a tree: the members of a row are its columns, those of a struct its fields. */
import type { Decision } from '@topo-bench/core';

export interface Edit {
  /** Withheld with all members, even if there is a pseudonym for it. */
  isRemoved: boolean;
  isPseudonymised: boolean;
  members: Map<string, Edit>;
}

/** Withholds the whole value. */
export const removal: Edit = { isRemoved: true, isPseudonymised: false, members: new Map() };

export function editOf({ remove, pseudonymise }: Decision): Edit {
  const root = newEdit();
  for (const pointer of remove) editAt(root, pointer).isRemoved = true;
  for (const pointer of pseudonymise) editAt(root, pointer).isPseudonymised = true;
  return root;
}

/** The edit of a column of a row, or of a member of a struct. */
export function memberEdit(edit: Edit | undefined, name: string): Edit | undefined {
  return edit?.isRemoved ? edit : edit?.members.get(name);
}

function editAt(root: Edit, pointer: string): Edit {
  let edit = root;
  for (const step of pointerSteps(pointer)) {
    const member = edit.members.get(step) ?? newEdit();
    edit.members.set(step, member);
    edit = member;
  }
  return edit;
}

function newEdit(): Edit {
  return { isRemoved: false, isPseudonymised: false, members: new Map() };
}

/** The member names of a JSON pointer (RFC 6901), outermost first. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
