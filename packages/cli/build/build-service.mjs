/**
 * Builds the service entry: `service.cjs`, a loader that keeps V8's code cache, and the code that it loads. What every role
 * needs is one file; each framework, each rule engine and the client for other roles is a file of its own, with all that it
 * needs beyond that, so that a role neither reads nor parses what it does not use.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { leanModules } from './lean-modules.mjs';

// V8 keeps a text of more than 128 KiB out of the space of young objects, whose filling up would cost a collection during the start.
const outsideYoungSpace = 132 * 1024;
const entry = 'packages/services/src/entry.ts';
const frameworks = ['fastify', 'express', 'node'];
const rules = 'packages/rule-engine/src/registry.ts';
/** Loaded with another part, which in nearly all roles asks for it at once. */
const together = { [rules]: 'packages/rule-engine/src/compiled/engine.ts' };

/**
 * @param options esbuild options; @param folder where to write
 * @returns esbuild's account of what went into the files
 */
export async function buildService(options, folder) {
  // V8's code cache works on scripts and esbuild splits only ES modules: it splits first, then each part becomes a function.
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { entry },
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'service'),
    // One byte per character: V8 takes the file as it is.
    charset: 'ascii',
    write: false,
    metafile: true,
    plugins: [leanModules],
  });
  const parts = new Map(
    await Promise.all(
      outputFiles.map(async ({ path, text }) => {
        const name = basename(path);
        return [name, `${JSON.stringify(`./${name}`)}(exports,require,module){${await toFunctionBody(text, options)}\n}`];
      }),
    ),
  );
  const core = partsOf('entry.js', metafile);
  const files = { core: [...core] };
  for (const [name, importers] of dynamicImports(metafile)) {
    if (core.has(name)) continue;
    const there = importers.map((part) => partsOf(part, metafile));
    // What two such files share is in both, and evaluated once.
    const needed = new Set([...partsOf(name, metafile), ...partsOf(companionOf(name, metafile), metafile)]);
    files[basename(name, '.js')] = [...needed].filter((part) => !core.has(part) && !there.every((parts) => parts.has(part)));
  }
  const servers = Object.fromEntries(
    frameworks.map((name) => [name, fileOf(`packages/services/src/${name}/server.ts`, metafile)]),
  );
  const first = { servers, rules: fileOf(rules, metafile) };
  const atStart = new Set(['core', first.rules, ...Object.values(servers)]);
  await mkdir(join(folder, 'service'));
  const id = createHash('sha256');
  for (const [name, names] of Object.entries(files)) {
    const code = `({${names.map((part) => parts.get(part)).join(',')}})`.padEnd(atStart.has(name) ? 0 : outsideYoungSpace);
    id.update(code);
    await writeFile(join(folder, 'service', `${name}.cjs`), code);
  }
  const loader = await readFile(new URL('service-loader.cjs', import.meta.url), 'utf8');
  const filledIn = { BUILD_ID: id.digest('hex').slice(0, 12), FIRST_FILES: JSON.stringify(first) };
  await writeFile(
    join(folder, 'service.cjs'),
    loader.replace(/BUILD_ID|FIRST_FILES/g, (name) => filledIn[name]),
  );
  return metafile;
}

/** @returns names of a part and of all that loads with it */
function partsOf(name, { outputs }) {
  const importsOf = new Map(Object.entries(outputs).map(([path, { imports }]) => [basename(path), imports]));
  const found = new Set([name]);
  for (const part of found) {
    for (const { kind, external, path } of importsOf.get(part)) {
      if (kind !== 'dynamic-import' && !external) found.add(basename(path));
    }
  }
  return found;
}

/** @returns name of the file whose part begins with that module */
function fileOf(module, { outputs }) {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module);
  return basename(path, '.js');
}

/** @returns name of the part that is loaded with another; its own name when there is none */
function companionOf(name, { outputs }) {
  const named = Object.entries(outputs).map(([path, { entryPoint }]) => [basename(path), entryPoint]);
  const companion = together[new Map(named).get(name)];
  return named.find(([, entryPoint]) => companion && entryPoint === companion)?.[0] ?? name;
}

/** @returns names of the parts that import a part when they need it, by its name */
function dynamicImports({ outputs }) {
  const importers = new Map();
  for (const [path, { imports }] of Object.entries(outputs)) {
    for (const { kind, external, path: imported } of imports) {
      if (kind !== 'dynamic-import' || external) continue;
      const name = basename(imported);
      importers.set(name, [...(importers.get(name) ?? []), basename(path)]);
    }
  }
  return importers;
}

async function toFunctionBody(text, { target, platform, minifySyntax, minifyWhitespace }) {
  const { code } = await transform(text, {
    target,
    platform,
    minifySyntax,
    minifyWhitespace,
    charset: 'ascii',
    format: 'cjs',
    // The loader's `require` takes their place.
    supported: { 'dynamic-import': false },
  });
  return code.replace(moduleByNames, moduleByName);
}

/** How esbuild evaluates a CommonJS module: it makes an array of its one name. A hundred of them are 18 kB. */
const moduleByNames =
  /return mod\|\|\(0,cb\[__getOwnPropNames\d*\(cb\)\[0\]\]\)\(\(mod=\{exports:\{\}\}\)\.exports,mod\),mod\.exports/;
const moduleByName = 'if(!mod)for(let name in cb)(0,cb[name])((mod={exports:{}}).exports,mod);return mod.exports';
