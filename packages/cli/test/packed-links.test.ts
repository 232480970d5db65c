import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryFiles, withAbsoluteLinks } from '../build/packed-links.mjs';

describe('the address of the packed files in their repository', () => {
  let checkout: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'topo-bench-links-'));
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Add nothing');
  });
  afterEach(() => rmSync(checkout, { recursive: true, force: true }));

  it.each([
    ['https://code.example/team/tool.git', 'https://code.example/team/tool'],
    ['https://ann:secret@code.example/team/tool', 'https://code.example/team/tool'],
    ['git@code.example:team/tool.git', 'https://code.example/team/tool'],
    ['ssh://git@code.example/team/tool.git', 'https://code.example/team/tool'],
  ])('of %s contains the commit, and no password', (remote, address) => {
    git('remote', 'add', 'origin', remote);
    expect(repositoryFiles(checkout)).toBe(`${address}/blob/${git('rev-parse', 'HEAD')}`);
  });

  it.each(['/srv/git/tool.git', '../tool', 'file:///srv/tool.git'])('is unknown for %s', (remote) => {
    git('remote', 'add', 'origin', remote);
    expect(repositoryFiles(checkout)).toBeUndefined();
  });

  it('is unknown without a remote', () => {
    expect(repositoryFiles(checkout)).toBeUndefined();
  });
});

describe('a link of a packed page', () => {
  const files = 'https://code.example/team/tool/blob/abc';

  it('leads to the repository, from the folder of its page', () => {
    const text = '[a](0001-a.md), [b](../gating.md#limits), [c](https://x.example/), [d](#here)';
    expect(withAbsoluteLinks(text, 'docs/decisions/0002-b.md', files)).toBe(
      `[a](${files}/docs/decisions/0001-a.md), [b](${files}/docs/gating.md#limits), [c](https://x.example/), [d](#here)`,
    );
  });

  it('stays relative without an address', () => {
    expect(withAbsoluteLinks('[a](docs/a.md)', 'README.md', undefined)).toBe('[a](docs/a.md)');
  });
});
