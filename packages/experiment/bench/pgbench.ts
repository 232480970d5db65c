/** What PostgreSQL's own load generator reaches with the statement that reads an item by its id; printed where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns transactions per second; undefined when there is no pgbench */
export function pgbenchRate(url: string, rows: number, clients: number, seconds: number): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-pgbench-'));
  try {
    const script = join(folder, 'get.sql');
    writeFileSync(script, `\\set key random(0, ${rows - 1})\nSELECT * FROM items WHERE id = 'o-' || lpad(:key::text, 9, '0');\n`);
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', script, url];
    const output = execFileSync('pgbench', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
