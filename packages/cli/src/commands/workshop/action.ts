/** The work of `workshop`: serves the page, opens it, and waits for Ctrl-C. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programResult, usableCores } from '@topo-bench/host';
import { openFiles, startWorkshop } from '@topo-bench/workshop';
import { workshopScripts } from '../../built-files.ts';
import { calibrationOrAssumed } from '../../calibration-files.ts';
import { aborted, interruptible } from '../../interrupt.ts';
import { settingOf } from '../../measuring.ts';
import { note, printLine } from '../../output.ts';
import { findFile, schemaFolder, shippedFolder } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { calibratorHere } from './calibrator-here.ts';
import type { WorkshopFlags } from './options.ts';

export async function action(topology: string, flags: WorkshopFlags): Promise<void> {
  const shipped = (['topologies', 'rules'] as const).flatMap((kind) => shippedFolder(kind) ?? []);
  const [files, known, scripts, schema, rulesSchema, calibrator] = await Promise.all([
    findFile('topologies', topology).then((path) => openFiles(path, shipped)),
    calibrationOrAssumed(flags),
    workshopScripts(),
    schemaOf('topology'),
    schemaOf('rules'),
    calibratorHere(),
  ]);
  const start = { ...known, hostCores: usableCores(), schema, rulesSchema, version: version() };
  const port = flags.port ?? 0;
  await interruptible(async (signal) => {
    const server = await startWorkshop({ files, start, scripts, setting: settingOf({}), calibrator, port });
    try {
      printLine(`workshop: ${server.url}`);
      const saving = files.isShipped ? 'a shipped file, not saved: copy it first' : 'the file changes on Save only';
      note(`${files.name}, on this machine alone; ${saving}. Ctrl-C ends it`);
      if (flags.open) await openBrowser(server.url);
      await aborted(signal);
    } finally {
      await server.close();
    }
  }, 'closing the workshop');
}

/** For completion; without it the editor has none. */
async function schemaOf(kind: 'topology' | 'rules'): Promise<unknown> {
  const folder = schemaFolder();
  return folder === undefined ? {} : JSON.parse(await readFile(join(folder, `${kind}.schema.json`), 'utf8'));
}

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function openBrowser(url: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const { failure } = await programResult(program, [...args, url], { timeoutMs: 10_000, env: process.env });
  // A browser that stays in front keeps its opener waiting.
  if (failure && failure.kind !== 'timeout')
    note(`no browser was opened (${program}: ${failure.kind}): open the address above`);
}
