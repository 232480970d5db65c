/**
 * Builds the service entry: `service.cjs`, a loader that keeps V8's code cache, and the code that it loads. What every
 * role needs is one file; Fastify, Express, json-rules-engine and the client for other roles are a file each, with all
 * that they need beyond that, so that a role neither reads nor parses what it does not use.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

const entry = 'packages/services/src/entry.ts';
/** Imported by some roles only, yet so small that a file of its own would cost those more than it spares the others. */
const small = [
  'packages/services/src/http/node/server.ts',
  'packages/rule-engine/src/registry.ts',
  'packages/rule-engine/src/compiled/engine.ts',
];

/**
 * Modules of stores that only the command line tool loads: roles use stores, and neither fill them nor start servers.
 */
const notInRoles = ['prepare', 'ping', 'server'].map((name) => `./packages/stores/src/*/${name}.ts`);

/**
 * @param options esbuild options; @param folder where to write
 * @returns esbuild's account of what went into the files
 */
export async function buildService(options, folder) {
  // V8's code cache works on scripts and esbuild splits only ES modules: it splits first, then each part becomes a
  // function.
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { entry },
    external: notInRoles,
    format: 'esm',
    splitting: true,
    outdir: join(folder, 'service'),
    // One byte per character: V8 takes the file as it is.
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
    // What two such files share is in both, and evaluated once.
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

/** A part of a cycle would see another before that has set what it exports. */
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
  return code;
}
