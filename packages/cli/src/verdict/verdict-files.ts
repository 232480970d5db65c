/** The files of a verdict. Their places are checked before a gate measures, which takes minutes. */
import { requireWritable } from '../write-file.ts';

export interface VerdictFlags {
  junit?: string;
  markdown?: string;
}

/** @throws TopoBenchError `TB_USAGE` for a file that cannot be written */
export async function requireVerdictFiles({ junit, markdown }: VerdictFlags): Promise<void> {
  if (junit !== undefined) await requireWritable(`--junit ${junit}`, junit, 'gate.xml');
  if (markdown !== undefined) await requireWritable(`--markdown ${markdown}`, markdown, 'gate.md');
}
