/** The topology of the page and its rule file on the disk. They are written by Save only. */
import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { cannotWrite, TopoBenchError } from '@topo-bench/core';
import { readText } from '@topo-bench/experiment/read-inputs';
import { rulesPath } from '@topo-bench/topology';
import type { SaveRequest } from '../browser/server-api.ts';
import type { Texts } from '../predict/read-topology.ts';

export interface OpenedFiles {
  /** Absolute. */
  path: string;
  /** As a user writes it. */
  name: string;
  /** Absolute; undefined for a topology without rules. */
  rulesPath: string | undefined;
  /** As last read or saved. */
  texts: Texts;
  /** A file of the package: every later study reads it, so the page does not change it. */
  isShipped: boolean;
  areRulesShipped: boolean;
}

/**
 * @param shipped folders: files below them are not saved
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`. Problems of the texts are left to the page.
 */
export async function openFiles(path: string, shipped: readonly string[] = []): Promise<OpenedFiles> {
  const source = await readText(path);
  const named = rulesPath(source);
  const rules = named === undefined ? undefined : resolve(dirname(path), named);
  const rulesText = rules === undefined ? undefined : (await readText(rules, path)).text;
  return {
    ...{ path, name: source.file, rulesPath: rules },
    texts: { topology: source.text, ...(rulesText !== undefined && { rules: rulesText }) },
    isShipped: await isBelow(path, shipped),
    areRulesShipped: rules !== undefined && (await isBelow(rules, shipped)),
  };
}

async function isBelow(path: string, folders: readonly string[]): Promise<boolean> {
  const [file = '', ...above] = await Promise.all([path, ...folders].map((one) => realpath(one)));
  return above.some((folder) => file.startsWith(folder + sep));
}

/** Saves wait for each other: the second of two tabs then sees the text of the first. */
const saves = new WeakMap<OpenedFiles, Promise<unknown>>();

/**
 * @throws TopoBenchError `TB_USAGE` for a shipped file, and one that has changed on the disk since the page read it;
 *   `TB_FILE_NOT_WRITABLE`: both files then have their old texts
 */
export function saveFiles(files: OpenedFiles, request: SaveRequest): Promise<{ saved: string }> {
  const own = Promise.resolve(saves.get(files)).then(() => save(files, request));
  saves.set(
    files,
    own.catch(() => undefined),
  );
  return own;
}

async function save(files: OpenedFiles, request: SaveRequest): Promise<{ saved: string }> {
  const { topology, rules, before } = request;
  if (typeof topology !== 'string' || typeof before?.topology !== 'string') {
    throw new TopoBenchError('TB_USAGE', 'save needs the new text and the one before');
  }
  const changed = [
    { path: files.path, text: topology, old: before.topology, isShipped: files.isShipped },
    ...(files.rulesPath !== undefined && typeof rules === 'string'
      ? [{ path: files.rulesPath, text: rules, old: before.rules, isShipped: files.areRulesShipped }]
      : []),
  ].filter(({ text, old }) => text !== old);
  for (const { path, old, isShipped } of changed) {
    const name = relative('.', path);
    if (isShipped) {
      throw new TopoBenchError('TB_USAGE', `${name} is shipped with topo-bench, and the workshop does not change it`, {
        hint: 'copy it first: paste the text into a file of your own, and open that with `topo-bench workshop <file>`',
      });
    }
    if ((await readFile(path, 'utf8')) === old) continue;
    throw new TopoBenchError('TB_USAGE', `${name} has changed on the disk since this page read it`, {
      hint: 'copy your text, reload the page without its fragment, and change it again',
    });
  }
  await replaceTexts(changed);
  const hasRules = files.rulesPath !== undefined;
  files.texts = { topology, ...(hasRules && rules !== undefined && { rules }) };
  const saved = changed.map(({ path }) => relative('.', path)).join(' and ') || 'nothing: no text was changed';
  return { saved: rules === undefined || hasRules ? saved : `${saved}, and no rules: the opened file names none` };
}

/** Every text is complete on the disk before the first takes its place: a full disk leaves all old texts. */
async function replaceTexts(texts: readonly { path: string; text: string }[]): Promise<void> {
  const written: { partial: string; target: string }[] = [];
  try {
    for (const { path, text } of texts) {
      const target = await realpath(path);
      const { mode } = await stat(target);
      const partial = join(dirname(target), `.${randomUUID()}.workshop.partial`);
      written.push({ partial, target });
      await writeFile(partial, text, { mode }).catch((cause: unknown) => {
        throw cannotWrite(relative('.', path), cause);
      });
    }
    for (const { partial, target } of written) await rename(partial, target);
  } finally {
    await Promise.all(written.map(({ partial }) => rm(partial, { force: true })));
  }
}
