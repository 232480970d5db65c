/** Process ids and loopback addresses of roles are known to the local runner alone: other runners have none. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { runnerNames } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { root } from './fixtures/topo-bench.ts';
import { workspaceFolders } from './fixtures/workspaces.ts';

/** Packages with processes or containers of their own, and transports that know nothing of roles. */
const ownProcesses = [
  'host',
  'containers',
  'runners',
  'connectors',
  'stores',
  'cli',
  'http2',
  'arrow-flight',
  'loadgen',
];
/**
 * The lock of a run is held by a process; a role runs the user's command next to it, and a keeper runs its role; a
 * transfer can have a server that is no role; no role may have the host name of loopback; the workshop serves its page
 * on loopback.
 */
const ownFiles = [
  'packages/deployment/src/host-name.ts',
  'packages/results/src/run-lock.ts',
  'packages/services/src/keeper/keep-role.ts',
  'packages/services/src/user-service/user-process.ts',
  'packages/guests/transfer-study/src/pyarrow/pyarrow-server.ts',
  'packages/workshop/src/server/workshop-server.ts',
];

/** A database server that topo-bench started has a process id, and so has each process itself. */
const idOfRole = /(?<!server\.|process\.)\bpids?\b/;
const loopback = /['"](127\.0\.0\.1|localhost)['"]|\bport: 0\b|\blisten\(0\b/;

interface Line {
  place: string;
  text: string;
}

function linesOf(packages: readonly string[]): Line[] {
  const folders = packages.map((folder) => join(root, folder, 'src'));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  return files.flatMap((file) =>
    withoutComments(readFileSync(file, 'utf8'))
      .split('\n')
      .map((text, at) => ({ place: `${relative(root, file)}:${at + 1}`, text })),
  );
}

/** With as many lines as before. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ''));
}

const isOwn = ({ place }: Line): boolean => ownFiles.some((file) => place.startsWith(`${file}:`));
const planning = linesOf(workspaceFolders.filter((folder) => !ownProcesses.includes(basename(folder)))).filter(
  (line) => !isOwn(line),
);

it('no other package has process ids of roles', () => {
  expect(planning.filter(({ text }) => idOfRole.test(text))).toEqual([]);
});

it('no other package has loopback addresses or free ports for roles', () => {
  expect(planning.filter(({ text }) => loopback.test(text))).toEqual([]);
});

it('no code but the registry has the name of a runner', () => {
  const named = new RegExp(`['"\`](${runnerNames.join('|')})['"\`]`);
  const places = ['packages/core/src/runner-names.ts:', ...runnerNames.map((name) => `packages/runners/src/${name}/`)];
  const lines = linesOf(workspaceFolders).filter(({ place }) => !places.some((start) => place.startsWith(start)));
  expect(lines.length).toBeGreaterThan(10_000);
  expect(lines.filter(({ text }) => named.test(text))).toEqual([]);
});
