/** Reads a rule file and rejects it when it has problems. */
import type { RulesFile } from '@topo-bench/core/schema/rules';
import { problemsError } from '@topo-bench/experiment';
import { readText } from '@topo-bench/experiment/read-inputs';
import { loadRules } from '@topo-bench/topology';
import { findFile } from '../../shipped-files.ts';

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or the code of its first problem with all of them */
export async function readRules(name: string): Promise<{ file: string; rules: RulesFile }> {
  const path = await findFile('rules', name);
  const source = await readText(path);
  const { rules, problems } = loadRules(source);
  if (!rules) throw problemsError(source.file, problems);
  return { file: source.file, rules };
}
