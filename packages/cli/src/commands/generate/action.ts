/** The work of `generate`: read the topology, compute the files of the target, and write what differs. */
import { dirname, relative, resolve } from 'node:path';
import type { ServiceImage } from '@topo-bench/containers';
import { readFlightSecrets } from '@topo-bench/measured/flight-secrets';
import { openTopology } from '@topo-bench/workbench/open-topology';
import { serviceEntry } from '../../built-files.ts';
import { topologyChoices } from '../../choices.ts';
import { note, printJson, printLine } from '../../output.ts';
import { findFile } from '../../shipped-files.ts';
import { commandLine, refusePlaceholders } from './command-line.ts';
import type { GenerateFlags } from './options.ts';
import {
  changesOf,
  changesOfSecrets,
  committedFiles,
  type FileChange,
  writeChanges,
  writeSecrets,
} from './project-folder.ts';
import { projectOf } from './project-of.ts';
import { projectSecret, secretFile } from './project-secret.ts';
import { targets } from './targets.ts';

export async function action(topology: string, flags: GenerateFlags): Promise<void> {
  const { force = false, dryRun = false } = flags;
  refusePlaceholders(flags.set);
  const folder = resolve(flags.out);
  const path = await findFile('topologies', topology);
  const { graph } = await openTopology(path, topologyChoices(flags.set));
  const project = projectOf(graph, commandLine(topology, path, folder, flags), flags);
  const target = await targets[flags.target].load();
  const files = await changesOf(folder, committedFiles(target.files(project)), { force });
  const secret = await projectSecret(folder);
  const derived = target.secrets(project, { secret, flightSecrets: await readFlightSecrets(graph) });
  const secrets = await changesOfSecrets(folder, [secretFile(secret), ...derived]);
  if (!dryRun) {
    await writeChanges(folder, files);
    await writeSecrets(folder, secrets, target.secretMode);
  }
  const image = flags.build && !dryRun ? await buildImage(flags) : undefined;
  const changes = [...files, ...secrets].map(({ path, change }) => ({ path, change }));
  if (flags.json) return printJson({ target: flags.target, folder, dryRun, files: changes, ...(image && { image }) });
  printChanges(folder, changes, dryRun);
  if (!dryRun) note(`start it: cd ${relative('.', folder) || '.'} && ${target.start}`);
}

function printChanges(folder: string, changes: readonly Omit<FileChange, 'text'>[], dryRun: boolean): void {
  const different = changes.filter(({ change }) => change !== 'unchanged');
  for (const { path, change } of dryRun ? different : []) printLine(`${change.padEnd(8)} ${path}`);
  const counts = ['new', 'changed', 'removed', 'unchanged'].flatMap((change) => {
    const count = changes.filter((one) => one.change === change).length;
    return count === 0 ? [] : [`${count} ${change}`];
  });
  printLine(`${relative('.', folder) || '.'}: ${counts.join(', ')}${dryRun ? '; nothing written' : ''}`);
}

/** @throws TopoBenchError what the engine lacks */
async function buildImage({ image, baseImage, context }: GenerateFlags): Promise<ServiceImage> {
  const { connectEngine, serviceImage } = await import('@topo-bench/containers');
  const engine = await connectEngine(context === undefined ? {} : { context });
  return serviceImage(engine, { builtFolder: dirname(serviceEntry()), image, baseImage, onProgress: note });
}
