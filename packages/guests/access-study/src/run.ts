/** A run of a data-access study: servers and tables, each prepared once and kept until the run ends. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunEnvironment, StudyRun } from '@topo-bench/measured';
import type { MeasureContext, TestBed } from '@topo-bench/trial';
import type { AccessTrial } from './parts.ts';
import { ProgramPlaces } from './program-places.ts';
import { requireAccess } from './require.ts';
import type { Access } from './settings-schema.ts';
import { TablesOfRun } from './tables-of-run.ts';
import { AccessTestBed } from './test-bed.ts';
import { variantParts } from './variants.ts';

export class AccessRun implements StudyRun {
  readonly #environment: RunEnvironment;
  readonly #places: ProgramPlaces;
  readonly #tables: TablesOfRun;

  constructor(environment: RunEnvironment) {
    const { image, baseImage, context, onProgress } = environment.runnerOptions ?? {};
    this.#environment = environment;
    this.#places = new ProgramPlaces({
      builtFolder: dirname(fileURLToPath(import.meta.url)),
      ...(image !== undefined && { image }),
      ...(baseImage !== undefined && { baseImage }),
      ...(context !== undefined && { context }),
      ...(onProgress && { onProgress }),
    });
    this.#tables = new TablesOfRun(environment, (fields) => this.#places.reach(fields));
  }

  async require(cells: readonly AccessTrial[], signal: AbortSignal): Promise<void> {
    this.#places.plan(cells);
    await requireAccess(cells, this.#environment, this.#places, signal);
  }

  async open({ settings }: AccessTrial, { signal, onPhase }: MeasureContext): Promise<TestBed> {
    const access = settings.access as Access;
    const { variant } = access;
    const table = await this.#tables.of(access, settings.seed, signal, (detail) => onPhase('deploy', detail));
    const { place } = variantParts[variant];
    return new AccessTestBed(table, {
      table: table.table,
      settings: access,
      ...(place && { launch: { place, ...this.#places.launcherOptions(place), servers: table.containers } }),
    });
  }

  async close(): Promise<void> {
    await this.#tables.close();
  }
}
