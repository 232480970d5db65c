/** Checks before a run that this machine has what its variants and sources need, before anything starts. */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import type { RunEnvironment } from '@topo-bench/measured';
import { engines } from '@topo-bench/stores/engines';
import { namedServer, urlVariable } from '@topo-bench/stores/servers/connection-strings';
import { requireServer } from '@topo-bench/stores/servers/start-server';
import { requireOwnFile } from './own-table.ts';
import type { AccessTrial } from './parts.ts';
import type { ProgramPlaces } from './program-places.ts';
import type { Access } from './settings-schema.ts';
import { serverKey } from './source-servers.ts';
import { type Place, variantParts } from './variants.ts';

/**
 * Lists everything that is missing; the hint has the choice that leaves it out.
 * @param signal ends pulls and builds of images
 * @throws TopoBenchError with the code of the first problem; the reason of the signal
 */
export async function requireAccess(
  cells: readonly AccessTrial[],
  { serverUrls }: Pick<RunEnvironment, 'serverUrls'>,
  places: ProgramPlaces,
  signal: AbortSignal,
): Promise<void> {
  await requireOwnData(cells, serverUrls);
  const [usable, missing] = await checkPlaces(cells, places, signal);
  const problems = [...missing, ...(await missingServers(cells, serverUrls, usable, places, signal))];
  signal.throwIfAborted();
  const [first] = problems;
  if (!first) return;
  const without = (factor: 'source' | 'variant'): string[] => {
    const missing = new Set(problems.filter((one) => one.factor === factor).flatMap(({ levels }) => levels));
    const all = [...new Set(cells.map(({ levels }) => String(levels[factor])))];
    const left = all.filter((level) => !missing.has(level));
    return missing.size > 0 && left.length > 0 ? [`--only ${factor}=${left.join(',')}`] : [];
  };
  const choices = [...without('source'), ...without('variant')];
  const hints = problems.flatMap(({ error: { hint } }) => hint ?? []);
  const leaveOut = choices.length > 0 ? [`or leave it out with ${choices.join(' ')}`] : [];
  const hint = [...new Set(hints), ...leaveOut].join('; ');
  const message = problems.map(({ levels, error }) => `${levels.join(', ')}: ${error.message}`).join('\n');
  throw new TopoBenchError(first.error.code, message, { ...(hint !== '' && { hint }), cause: first.error });
}

/** A table or collection of the user is on a server of the user: one that topo-bench starts is empty. */
async function requireOwnData(cells: readonly AccessTrial[], flags: RunEnvironment['serverUrls']): Promise<void> {
  for (const { settings } of cells) {
    const { own, source, url } = settings.access ?? {};
    if (!own || !source) continue;
    await requireOwnFile(own);
    const [field] = (['table', 'collection'] as const).filter((name) => own[name] !== undefined);
    if (field === undefined || source === 'parquet') continue;
    if (namedServer(source, { flag: flags[source], file: url })) continue;
    const message = `the ${field} ${own[field]} is on a server of your own: got no connection string, expected one`;
    const hint = `name the server with ${engines[source].flag} or ${urlVariable(source)}`;
    throw new TopoBenchError('TB_EXPERIMENT_ACCESS', message, { hint });
  }
}

interface Missing {
  factor: 'source' | 'variant';
  levels: string[];
  error: TopoBenchError;
}

/** @returns the places whose programs can run, and the problems of the others */
async function checkPlaces(
  cells: readonly AccessTrial[],
  places: ProgramPlaces,
  signal: AbortSignal,
): Promise<[Place[], Missing[]]> {
  const usable: Place[] = [];
  const missing: Missing[] = [];
  for (const place of new Set(cells.flatMap((cell) => placeOf(cell) ?? []))) {
    const own = cells.filter((cell) => placeOf(cell) === place);
    const readFiles = own.filter(({ settings }) => settings.access?.source === 'parquet');
    const error = await failureOf(places.check(place, signal));
    const fileError = error || readFiles.length === 0 ? undefined : await failureOf(places.requireFiles(place));
    if (error) missing.push({ factor: 'variant', levels: variantsOf(own), error });
    else usable.push(place);
    if (fileError) missing.push({ factor: 'variant', levels: variantsOf(readFiles), error: fileError });
  }
  return [usable, missing];
}

/** A server that this process lacks is a problem of the source; one that a place cannot reach, of its variants. */
async function missingServers(
  cells: readonly AccessTrial[],
  flags: RunEnvironment['serverUrls'],
  usable: readonly Place[],
  places: ProgramPlaces,
  signal: AbortSignal,
): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const { access, own } of cellsByServer(cells)) {
    const { source, url, image } = access;
    const server = { engine: source as StoreEngine, url, image, flags, signal };
    const error = await failureOf(requireServer(server));
    if (error) missing.push({ factor: 'source', levels: [source], error });
    for (const place of error ? [] : usable) {
      const readers = own.filter((cell) => placeOf(cell) === place);
      if (place === 'process' || readers.length === 0) continue;
      const unreached = await failureOf(requireServer({ ...server, reach: await places.reachOf(place) }));
      if (unreached) missing.push({ factor: 'variant', levels: variantsOf(readers), error: unreached });
    }
  }
  return missing;
}

function cellsByServer(cells: readonly AccessTrial[]): { access: Access; own: AccessTrial[] }[] {
  const found = new Map<string, { access: Access; own: AccessTrial[] }>();
  for (const cell of cells) {
    const { access } = cell.settings;
    if (!access || access.source === 'parquet') continue;
    const { own = [] } = found.get(serverKey(access)) ?? {};
    found.set(serverKey(access), { access, own: [...own, cell] });
  }
  return [...found.values()];
}

function placeOf({ settings: { access } }: AccessTrial): Place | undefined {
  return access && variantParts[access.variant].place;
}

function variantsOf(cells: readonly AccessTrial[]): string[] {
  return [...new Set(cells.flatMap(({ settings: { access } }) => access?.variant ?? []))];
}

async function failureOf(check: Promise<unknown>): Promise<TopoBenchError | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof TopoBenchError) return error;
    throw error;
  }
}
