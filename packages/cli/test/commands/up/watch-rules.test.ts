import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeploymentRuleChange } from '@topo-bench/deployment';
import { openTopology } from '@topo-bench/workbench/open-topology';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { smallRules, temporaryFolder, writeSmallFiles } from '../../../../../test/fixtures/small-files.ts';
import { watchedRules } from '../../../src/commands/up/watch-rules.ts';

const folder = temporaryFolder();
const file = join(folder, 'rules.yaml');
const renamed = (id: string): string => smallRules.replaceAll('eu-data-stays', id);
let ended = new AbortController();
afterEach(() => {
  ended.abort();
  vi.restoreAllMocks();
});

/** Two points; the second does not answer the stated number of changes. */
async function watching(silences: number) {
  writeSmallFiles(folder);
  const path = join(folder, 'topology.yaml');
  const choices = { architecture: 'sidecar' };
  const { graph } = await openTopology(path, choices);
  const watched = await watchedRules(path, choices, graph);
  const versions = { a: 0, b: 0 };
  const changeRules = async ({ version }: DeploymentRuleChange): Promise<void> => {
    versions.a = version;
    if (silences-- > 0) throw new Error('b does not answer');
    versions.b = version;
  };
  let notes = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    notes += text;
    return true;
  });
  ended = new AbortController();
  const watch = (): void => watched.watch({ changeRules }, ended.signal);
  return { versions, watch, saw: (text: string) => vi.waitFor(() => expect(notes).toContain(text), 20_000) };
}

describe('watched rules', () => {
  it('are those of the file as it is when the roles have started', async () => {
    const { versions, watch, saw } = await watching(0);
    writeFileSync(file, renamed('edited-meanwhile'));
    watch();
    await saw('rules 1 (');
    expect(versions).toEqual({ a: 1, b: 1 });
  });

  it('go to all points once more when one has not answered', async () => {
    const { versions, watch, saw } = await watching(1);
    writeFileSync(file, renamed('other'));
    watch();
    await saw('rules 2 (');
    expect(versions).toEqual({ a: 2, b: 2 });
  });

  it('may differ between points when one still does not answer, until the file is saved again', async () => {
    const { versions, watch, saw } = await watching(2);
    writeFileSync(file, renamed('other'));
    watch();
    await saw('points may have different rules: save the file again:\nError: b does not answer');
    expect(versions).toEqual({ a: 2, b: 0 });
    writeFileSync(file, renamed('other'));
    await saw('rules 3 (');
    expect(versions).toEqual({ a: 3, b: 3 });
  });

  it('stay in force at all points when the file cannot be used', async () => {
    const { versions, watch, saw } = await watching(0);
    writeFileSync(file, smallRules.replace('effect: deny\n', 'effect: denied\n'));
    watch();
    await saw('the rules in force stay:\n');
    expect(versions).toEqual({ a: 0, b: 0 });
  });
});
