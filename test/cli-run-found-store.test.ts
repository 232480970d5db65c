/** Stores on servers that are found on this machine; those that every machine has are in cli-run-store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { experiment, topology } from './fixtures/kept-service.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

// As built: bundled drivers and drivers loaded from their sources are not found the same way.
it.for([
  { store: 'document', engine: 'mongodb' },
  { store: 'sql-indexed', engine: 'mysql' },
  { store: 'key-value', engine: 'redis' },
])('measures the store $store on $engine, on a server that it found', async ({ store, engine }, { skip }) => {
  const folder = temporaryFolder();
  const file = join(folder, `${engine}.yaml`);
  writeFileSync(join(folder, `on-${engine}.yaml`), topology.replace('sql-indexed', `${store}, engine: ${engine}`));
  writeFileSync(file, experiment.replace('kept.yaml', `on-${engine}.yaml`).replace(/ {2}services.items.*\n/, ''));
  const command = topoBench(['run', file, '--out', engine, '--json'], { cwd: folder });
  if (!process.env.CI && (await command).stderr.includes('TB_STORE_NO_SERVER')) skip(`no server of ${engine} here`);
  const { cells } = await measuredRun(command);
  const [cell] = cells;
  expect(cell.outcomes).toMatchObject({ error: 0, refused: 0 });
  expect(cell.persistence).toMatchObject({ configuration: store, rows: 500, server: { origin: 'found-binary' } });
});
