/** Writes a decision record and its confirmation; neither replaces a file without `--force`. */
import { existsSync } from 'node:fs';
import { TopoBenchError } from '@topo-bench/core';
import { decide } from '@topo-bench/workbench/decide';
import { calibrationFor } from '../../calibration-files.ts';
import { interruptible } from '../../interrupt.ts';
import { printJson, printLine } from '../../output.ts';
import { version } from '../../version.ts';
import { requireWritable, writeFileAndFolders } from '../../write-file.ts';
import type { DecideFlags } from './options.ts';

export async function action(runs: readonly string[], flags: DecideFlags): Promise<void> {
  const { adr: file, option, title, threshold, pricePerCoreHour: price, mixSources, force = false, json } = flags;
  const { calibration } = flags;
  const confirmation = `${file.replace(/\.(md|markdown)$/i, '')}.confirm.yaml`;
  await requireWritable(`--adr ${file}`, file, 'record.md');
  if (!force) for (const path of [file, confirmation]) requireNew(path);
  const known = calibration === undefined ? undefined : await calibrationFor(flags);
  const decision = await interruptible((signal) => {
    const simulation = known && { ...known, version: version(), signal };
    const chosen = { file, confirmation, option, title, price, mixSources, thresholds: threshold };
    return decide(runs, { ...chosen, simulation, date: new Date() });
  }, 'interrupted');
  await writeFileAndFolders(file, decision.record);
  await writeFileAndFolders(confirmation, decision.confirmation);
  if (json) return printJson(decision.document);
  printLine(`chosen:       ${decision.document.chosen}${decision.document.byHand ? ', by hand' : ''}`);
  printLine(`record:       ${file}`);
  printLine(`confirmation: ${confirmation}`);
}

/** People write in records: one is replaced only on request. */
function requireNew(path: string): void {
  if (!existsSync(path)) return;
  throw new TopoBenchError('TB_FILE_EXISTS', `${path} exists already`, {
    hint: 'name another file, or replace record and confirmation, with what was written by hand: --force',
  });
}
