/** Checks of a data-access experiment: consistent settings, and combinations of levels that are not measured. */
import { factorPath, type Problem, type SourceLocation } from '@topo-bench/core';
import { checkKeptRequests } from '@topo-bench/study-kit/kept-requests';
import type { OmittedCell, Study } from '@topo-bench/trial';
import type { AccessExperiment, AccessTrial } from './parts.ts';
import type { Access } from './settings-schema.ts';
import { hasOption } from './variants.ts';

export const check: Study['check'] = (cells, locate) => {
  const [{ settings }] = cells as [AccessTrial];
  const found = cells.flatMap(({ settings: { access } }: AccessTrial) => (access ? checkAccess(access) : []));
  const different = new Map(found.map((one) => [`${one.field} ${one.message}`, one]));
  return [
    ...checkKeptRequests(settings, 'access', locate(['keepRequests'])),
    ...checkDeploy(cells, locate(['deploy'])),
    ...checkVolumes(cells, locate),
    ...[...different.values()].map(({ field, message, hint }) => ({
      ...locate(['access', field]),
      code: 'TB_EXPERIMENT_ACCESS' as const,
      message,
      hint,
    })),
  ];
};

interface AccessProblem {
  field: keyof Access;
  message: string;
  hint: string;
}

/** Own data that is read where it is; a `.dat` file is loaded into every source. */
const sourceOfOwn = { table: 'postgresql', query: 'postgresql', collection: 'mongodb', file: 'parquet' } as const;

function checkAccess({ own, url, image, source, variant, ...options }: Access): AccessProblem[] {
  const problems: AccessProblem[] = [];
  const field = (Object.keys(sourceOfOwn) as (keyof typeof sourceOfOwn)[]).find((name) => own?.[name] !== undefined);
  if (field !== undefined && sourceOfOwn[field] !== source) {
    const message = `\`own.${field}\` is data of ${sourceOfOwn[field]}, and the source is ${source}`;
    problems.push({ field: 'own', message, hint: `set \`source: ${sourceOfOwn[field]}\`, and no other` });
  }
  if (field !== undefined && image !== undefined) {
    const hint = 'name the server that has them with `url`, or leave `own` out';
    problems.push({ field: 'image', message: '`image` starts a new server, which has no data of your own', hint });
  }
  if (source === 'parquet' && (url ?? image) !== undefined) {
    const named = url === undefined ? 'image' : 'url';
    const hint = `leave \`${named}\` out`;
    problems.push({ field: named, message: `\`${named}\` is for a server, and parquet is a file`, hint });
  }
  for (const [option, byDefault] of Object.entries(optionDefaults) as [keyof typeof optionDefaults, unknown][]) {
    if (options[option] === byDefault || hasOption(variant, option)) continue;
    const message = `the variant ${variant} has no \`${option}\``;
    problems.push({ field: option, message, hint: `make \`access.${option}\` a factor, or leave ${variant} out` });
  }
  return problems;
}

/** Rows of own data are as many as there are: levels would name volumes that no cell reads. */
function checkVolumes(
  cells: readonly AccessTrial[],
  locate: (path: readonly (string | number)[]) => SourceLocation,
): Problem[] {
  const isVolume = (name: string): boolean => factorPath(name) === 'access.rows';
  const varied = cells.find(({ settings, levels }) => settings.access?.own && Object.keys(levels).some(isVolume));
  const factor = Object.keys(varied?.levels ?? {}).find(isVolume);
  if (factor === undefined) return [];
  const message = `\`${factor}\` varies the rows of the generated table, and the data is your own`;
  const hint = `leave \`${factor}\` out, or \`own\``;
  return [{ ...locate(['factors', factor]), code: 'TB_EXPERIMENT_ACCESS', message, hint }];
}

/** Options that some variants lack, with their defaults. */
export const optionDefaults = { connections: 1, cachedDiscovery: false, compression: 'none', warm: false } as const;

function checkDeploy(cells: readonly AccessTrial[], place: SourceLocation): Problem[] {
  if (cells.every(({ settings: { deploy } }) => deploy === 'fresh')) return [];
  const message = 'an experiment with `access` starts what it reads with for every repetition';
  return [{ ...place, code: 'TB_EXPERIMENT_ACCESS', message, hint: 'use `deploy: fresh`, the default' }];
}

/**
 * A factor without effect on a variant makes one cell of it, with the first level. One row is read from the smallest
 * volume alone, as in the study.
 */
export function omits({ access }: AccessExperiment, factors: AccessExperiment['factors']): OmittedCell | undefined {
  const message = access && whyOmitted(access, factors);
  return message === undefined ? undefined : { code: 'TB_EXPERIMENT_ACCESS', message };
}

function whyOmitted(access: Access, factors: AccessExperiment['factors']): string | undefined {
  for (const [name, levels] of Object.entries(factors)) {
    const option = factorPath(name).replace(/^access\./, '') as keyof Access;
    if (!(option in optionDefaults) || levels.length < 2 || hasOption(access.variant, option)) continue;
    if (access[option] !== levels[0]) return `${access.variant} has no ${option}: measured once, as ${levels[0]}`;
  }
  const levelsOf = (field: keyof Access) =>
    Object.entries(factors).find(([name]) => factorPath(name) === `access.${field}`)?.[1] ?? [];
  const [firstCached, ...otherCached] = levelsOf('cachedDiscovery');
  if (access.warm && otherCached.length > 0 && access.cachedDiscovery !== firstCached) {
    return `warm programs have their discovery before the read: measured once, as cachedDiscovery ${firstCached}`;
  }
  const volumes = levelsOf('rows');
  const smallest = Math.min(...volumes.map(Number));
  if (access.query === 'one-row' && volumes.length > 1 && access.rows !== smallest) {
    return `the query for one row is measured on ${smallest} rows alone`;
  }
  return undefined;
}
