import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToLog, lastLines, openLog } from '../src/role-log.ts';

it.skipIf(process.platform === 'win32')('a log is for its owner only, and so is its new folder', () => {
  const parent = mkdtempSync(join(tmpdir(), 'topo-bench-log-'));
  try {
    const log = openLog(join(parent, 'run', 'logs'), 'pricing');
    addToLog(log, 'a key\n');
    expect(lastLines(log)).toEqual(['a key']);
    expect((statSync(log.path).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(join(parent, 'run', 'logs')).mode & 0o777).toString(8)).toBe('700');
  } finally {
    rmSync(parent, { recursive: true });
  }
});
