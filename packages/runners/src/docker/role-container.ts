/** One role as a container, which gets its documents before its start. */
import { closeSync } from 'node:fs';
import { type Engine, tarOf } from '@topo-bench/containers';
import type { ChangedRules, RoleConfig, RoleDocuments } from '@topo-bench/core';
import { documentsFolder, type RolePlan } from '@topo-bench/deployment';
import type { ProcessUsage } from '@topo-bench/host';
import { openLog } from '../role-log.ts';
import { roleUser } from './confinement.ts';
import { type ContainerPlace, containerOptions } from './container-options.ts';
import type { UserContainer } from './user-container.ts';
import { WatchedContainer } from './watched-container.ts';

export class RoleContainer extends WatchedContainer {
  /** Container of its user-supplied service, once that has started. */
  user: UserContainer | undefined;
  /** Use of its processes before each planned crash. */
  readonly ended: ProcessUsage[] = [];
  #documents: RoleDocuments;
  #hasNewRules = false;
  readonly #limits: RolePlan['limits'];
  readonly #name: string;

  /** @throws TopoBenchError `TB_FILE_NOT_WRITABLE`, `TB_RUNNER_NO_RESOURCES` */
  constructor(engine: Engine, documents: RoleDocuments, plan: RolePlan, name: string, logsDir: string) {
    const log = openLog(logsDir, documents.config.name);
    closeSync(log.descriptor);
    // Limits of a user-supplied image are those of its own container.
    const limits = plan.userImage ? undefined : plan.limits;
    super(engine, documents.config.name, log, limits);
    this.#documents = documents;
    this.#limits = limits;
    this.#name = name;
  }

  get config(): RoleConfig {
    return this.#documents.config;
  }

  /** @param graph the shared graph as JSON, compressed with gzip */
  async start(graph: Buffer, place: Omit<ContainerPlace, 'name'>): Promise<void> {
    const options = containerOptions(this.config, this.#limits, { ...place, name: this.#name });
    await this.run(options, async (container) => {
      await container.putArchive(await this.#archive(graph), { path: documentsFolder });
    });
  }

  /** The rules with which it starts again. */
  keepRules(rules: ChangedRules): void {
    this.#documents = { ...this.#documents, config: { ...this.config, ...rules } };
    this.#hasNewRules = true;
  }

  override startAgain(): Promise<void> {
    return super.startAgain(async (container) => {
      if (!this.#hasNewRules) return;
      const files = { 'config.json': JSON.stringify(this.config) };
      await container.putArchive(await this.#archiveOf(files), { path: documentsFolder });
    });
  }

  #archive(graph: Buffer): Promise<Buffer> {
    const { config, secrets } = this.#documents;
    return this.#archiveOf({
      'config.json': JSON.stringify(config),
      'secrets.json': JSON.stringify(secrets),
      'graph.json.gz': graph,
    });
  }

  /** Only the role can read its documents. They are in a volume, and thus in no answer of the engine. */
  #archiveOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
    return tarOf(Object.entries(files).map(([path, content]) => ({ path, content, mode: 0o400, uid: roleUser })));
  }
}
