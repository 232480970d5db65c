/**
 * Builds the service entry: the loader `service.cjs`, which uses V8's code cache, and the code that it loads. One file
 * contains the code that every role needs. Fastify, Express, json-rules-engine and the client for other roles have a
 * file each, with their further dependencies. A role reads and parses no unused code.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

const entry = 'packages/services/src/entry.ts';
/** Imported by some roles only, but small: a file of their own would cost more than it saves. */
const small = ['packages/services/src/http/node/server.ts'];

/** Store modules for the command line tool only: roles use stores, but do not fill them or start servers. */
const notInRoles = ['prepare', 'ping', 'server'].map((name) => `./packages/guests/stores/src/*/${name}.ts`);

/**
 * @param options esbuild options
 * @param folder output folder
 * @returns esbuild's metafile
 */
export async function buildService(options, folder) {
  // V8's code cache works on scripts, and esbuild splits only ES modules. esbuild splits first; then each part becomes
  // a function.
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { entry },
    external: notInRoles,
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'service'),
    // One byte per character: V8 takes the file without conversion.
    charset: 'ascii',
    write: false,
    metafile: true,
  });
  const parts = new Map(
    await Promise.all(
      outputFiles.map(async ({ path, text }) => {
        const name = basename(path);
        return [
          name,
          `${JSON.stringify(`./${name}`)}(exports,require,module){${await toFunctionBody(text, options)}\n}`,
        ];
      }),
    ),
  );
  const inCore = ['entry.js', ...small.map((module) => partOf(module, metafile))];
  const core = new Set(inCore.flatMap((name) => [...partsOf(name, metafile)]));
  const files = { core: [...core] };
  for (const [name, importers] of dynamicImports(metafile)) {
    if (core.has(name)) continue;
    const there = importers.map((part) => partsOf(part, metafile));
    // Code shared by two such files is in both, and evaluated once.
    files[basename(name, '.js')] = [...partsOf(name, metafile)].filter(
      (part) => !core.has(part) && !there.every((parts) => parts.has(part)),
    );
  }
  refuseCycles(metafile);
  await mkdir(join(folder, 'service'));
  const id = createHash('sha256');
  for (const [name, names] of Object.entries(files)) {
    const code = `({${names.map((part) => parts.get(part)).join(',')}})`;
    id.update(code);
    await writeFile(join(folder, 'service', `${name}.cjs`), code);
  }
  const loader = await readFile(new URL('service-loader.cjs', import.meta.url), 'utf8');
  await writeFile(join(folder, 'service.cjs'), loader.replace('BUILD_ID', id.digest('hex').slice(0, 12)));
  return metafile;
}

/** @returns names of a part and of all parts that load with it */
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

/** In a cycle a part could read the exports of another before they are set. */
function refuseCycles(metafile) {
  for (const [path, { imports }] of Object.entries(metafile.outputs)) {
    const name = basename(path);
    const back = imports.find(
      ({ kind, external, path }) =>
        kind !== 'dynamic-import' && !external && partsOf(basename(path), metafile).has(name),
    );
    if (back) throw new Error(`${name} and ${basename(back.path)} import each other`);
  }
}

/** @returns name of the part that begins with that module */
function partOf(module, { outputs }) {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module);
  return basename(path);
}

/** @returns names of the parts that import a part dynamically, by its name */
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
    // The loader's `require` replaces dynamic imports.
    supported: { 'dynamic-import': false },
  });
  return code;
}
