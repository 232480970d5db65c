/**
 * The places of the programs of a run: their requirements, their image, and how programs reach a store on this machine.
 * All variants of a run read one server, so it listens where the programs of every place reach it.
 */
import { createLauncher, type Launcher, type LauncherOptions } from '@topo-bench/connectors';
import type { ServerReach } from '@topo-bench/core';
import type { AccessTrial } from './parts.ts';
import { type ServerFields, serverKey } from './source-servers.ts';
import { type Place, variantParts } from './variants.ts';

export class ProgramPlaces {
  readonly #options: LauncherOptions;
  readonly #launchers = new Map<Place, Promise<Launcher>>();
  readonly #images = new Map<Place, string>();
  /** By key of the server. */
  readonly #readers = new Map<string, Set<Place>>();

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  /** States which programs will read which server. */
  plan(cells: readonly AccessTrial[]): void {
    for (const { access } of cells.map(({ settings }) => settings)) {
      const place = access && variantParts[access.variant].place;
      if (!access || !place) continue;
      const key = serverKey(access);
      this.#readers.set(key, new Set([...(this.#readers.get(key) ?? []), place]));
    }
  }

  /** @throws TopoBenchError as `Launcher.check` */
  async check(place: Place, signal: AbortSignal): Promise<void> {
    const image = await (await this.#launcher(place)).check(signal);
    if (image !== undefined) this.#images.set(place, image);
  }

  /** @throws TopoBenchError `TB_STORE_UNREACHABLE` where the programs cannot read files of this machine */
  async requireFiles(place: Place): Promise<void> {
    await (await this.#launcher(place)).filePath('/file.parquet');
  }

  async reachOf(place: Place): Promise<ServerReach> {
    return (await this.#launcher(place)).serverReach();
  }

  /**
   * How the server of these fields is reached. Containers on this machine also reach the address of its node in a
   * cluster; pods do not reach the gateway of a container network.
   */
  async reach(fields: ServerFields): Promise<ServerReach | undefined> {
    const readers = this.#readers.get(serverKey(fields));
    if (readers?.has('pod')) return this.reachOf('pod');
    return readers?.has('container') ? this.reachOf('container') : undefined;
  }

  /** For the client: options of its launcher, without a function. */
  launcherOptions(place: Place): Omit<LauncherOptions, 'onProgress' | 'servers'> {
    const { onProgress: _, ...options } = this.#options;
    const image = this.#images.get(place) ?? options.image;
    return { ...options, ...(image !== undefined && { image }) };
  }

  #launcher(place: Place): Promise<Launcher> {
    const present = this.#launchers.get(place) ?? createLauncher(place, this.#options);
    this.#launchers.set(place, present);
    return present;
  }
}
