import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, ExitCode, errorCodes } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { workspaceFolders } from '../../../test/fixtures/workspaces.ts';
import { allErrorTexts } from '../src/error-texts.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const table = Object.entries(errorCodes) as [ErrorCode, ExitCode][];

/** Source that users run, with the place of each: the tables themselves aside. */
function sources(): { path: string; text: string }[] {
  return workspaceFolders
    .flatMap((folder) => ['src', 'bin'].map((part) => join(root, folder, part)))
    .flatMap((folder) => listed(folder))
    .filter((path) => /\.(ts|js|mjs|cjs)$/.test(path) && !/src\/error-(codes|texts)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

describe('error codes', () => {
  const used = new Map<string, string>();
  for (const { path, text } of sources())
    for (const [code] of text.matchAll(/\bTB_[A-Z0-9_]*[A-Z0-9]\b/g)) used.set(code, path);

  it('in the source are all in the table', () => {
    const known = new Set<string>(table.map(([code]) => code));
    expect([...used].filter(([code]) => !known.has(code))).toEqual([]);
  });

  it('in the table are all used in the source', () => {
    expect(table.map(([code]) => code).filter((code) => !used.has(code))).toEqual([]);
  });

  it('are all on the page of errors, and no others', () => {
    const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
    const listedCodes = [...page.matchAll(/^\| `(TB_[A-Z0-9_]+)`/gm)].map(([, code]) => code);
    expect(listedCodes).toEqual(table.map(([code]) => code).sort());
  });

  it.each(table)('%s has a meaning and a remedy in whole sentences', (code, exit) => {
    const { summary, remedy } = allErrorTexts[code];
    expect(Object.values(ExitCode)).toContain(exit);
    expect(summary).toMatch(/^[A-Z`].*\.$/s);
    expect(remedy).toMatch(/^[A-Z`].*\.$/s);
  });
});
