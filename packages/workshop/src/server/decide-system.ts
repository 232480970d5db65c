/**
 * A decision on the system of the page: its files, a simulated run of the architectures, the record with the file that
 * confirms it, and the summary for a meeting. All stand in one folder, so the confirmation runs there.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { cannotWrite, reportsFullDisk, TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { renderSummary } from '@topo-bench/report';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { open } from '@topo-bench/workbench';
import { withUncertainty } from '@topo-bench/workbench/calibration';
import { decide } from '@topo-bench/workbench/decide';
import { parseDocument } from 'yaml';
import type { DecidedSystem, DecideRequest } from '../browser/server-api.ts';
import { comparedArchitectures, factorsOf } from '../predict/settings.ts';
import { type Following, runProgress } from './jobs.ts';

export interface DecidePlace {
  /** New or empty. */
  folder: string;
  calibration: Calibration;
  version: string;
}

const repetitions = 10;
/** At least so many in a repetition. */
const requests = 150;

/**
 * Leaves no folder without a record.
 * @throws TopoBenchError `TB_DECIDE_NOTHING_SHOWN` where no option is shown to be best, and none is chosen;
 *   `TB_FILE_NOT_WRITABLE`
 */
export async function decideSystem(
  request: DecideRequest,
  place: DecidePlace,
  following: Following,
): Promise<DecidedSystem> {
  try {
    return await decideIn(request, place, following);
  } catch (error) {
    await rm(place.folder, { recursive: true, force: true });
    const { errno, cause } = error as NodeJS.ErrnoException;
    // The run in the folder is gone with it: its own hint, to resume it, would lead nowhere.
    if (errno !== undefined || reportsFullDisk(error)) throw cannotWrite(relative('.', place.folder), cause ?? error);
    throw error;
  }
}

async function decideIn(
  { texts, settings, routers, option, price, notes }: DecideRequest,
  { folder, calibration, version }: DecidePlace,
  { emit, signal }: Following,
): Promise<DecidedSystem> {
  const { architecture: _, ...levels } = factorsOf(settings, '');
  const experiment = {
    ...{ apiVersion: 'topo-bench/v1', kind: 'Experiment', name: 'workshop', topology: 'topology.yaml' },
    factors: {
      architecture: comparedArchitectures(routers).filter((name) => name !== 'none'),
      ...Object.fromEntries(Object.entries(levels).map(([name, level]) => [name, [level]])),
    },
    ...{
      repetitions,
      duration: `${Math.max(3, Math.ceil(requests / settings.rate))}s`,
      drain: '20s',
      warmup: { requests: 1000, max: '20s' },
    },
    load: { driver: 'open', arrivals: 'poisson', rate: settings.rate },
  };
  const own = join(folder, 'calibration.json');
  const calibrationText = `${JSON.stringify(calibration, null, 1)}\n`;
  const files = {
    'topology.yaml': texts.rules === undefined ? texts.topology : withRules(texts.topology),
    ...(texts.rules !== undefined && { 'rules.yaml': texts.rules }),
    'experiment.yaml': JSON.stringify(experiment, null, 2),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // The recorded command repeats the run with it. It is no download: its paths are of this machine.
  await writeFile(own, calibrationText);
  const bench = await open({ experiment: join(folder, 'experiment.yaml') });
  const sha256 = createHash('sha256').update(calibrationText).digest('hex');
  const run = await bench.run({
    backends: () => withUncertainty(simulatedBackend({ calibration: { value: calibration, sha256 } }), calibration),
    ...{ folder: join(folder, 'run'), version, signal, onEvent: runProgress(emit) },
    command: ['simulate', relative('.', join(folder, 'experiment.yaml')), '--calibration', relative('.', own)],
  });
  const paths = { file: join(folder, 'record.md'), confirmation: join(folder, 'record.confirm.yaml') };
  const onProgress = (text: string, share: number): void => emit({ kind: 'progress', text, share });
  const { record, confirmation, document, simulated } = await decide([run.folder], {
    ...{ ...paths, option, price, notes, date: new Date() },
    simulation: { calibration, sha256, version, signal, onProgress },
  });
  if (!simulated) throw new TopoBenchError('TB_INTERNAL', 'the decision has no sensitivity');
  await writeFile(paths.file, record);
  await writeFile(paths.confirmation, confirmation);
  await writeFile(join(folder, 'summary.html'), renderSummary(await run.report({ price })));
  const names = ['record.md', 'record.confirm.yaml', ...Object.keys(files), 'summary.html'];
  return {
    ...{ folder: relative('.', folder), chosen: String(document.chosen), answer: document.answer },
    ...{ sentences: simulated.sentences, curve: simulated.curve, assumptions: simulated.assumptions },
    files: await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') }))),
  };
}

/** The topology with the rule file next to it; comments stay. */
function withRules(topology: string): string {
  const document = parseDocument(topology);
  document.set('rules', 'rules.yaml');
  return String(document);
}
