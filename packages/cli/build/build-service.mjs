/**
 * Builds the service entry: `service.cjs`, a loader that keeps V8's code cache, and the code that it loads. What every role
 * needs is one file; each framework, each rule engine and the client for other roles is a file of its own, so that a role
 * neither reads nor parses what it does not use.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { leanModules } from './lean-modules.mjs';

const entry = 'packages/services/src/entry.ts';

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
  const lazy = new Set(dynamicallyImported(metafile));
  const files = { core: [] };
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    const part = `${JSON.stringify(`./${name}`)}(exports,require,module){${await toFunctionBody(text, options)}\n}`;
    if (lazy.has(name)) files[basename(name, '.js')] = [part];
    else files.core.push(part);
  }
  await mkdir(join(folder, 'service'));
  const id = createHash('sha256');
  for (const [name, parts] of Object.entries(files)) {
    const code = `({${parts.join(',')}})`;
    id.update(code);
    await writeFile(join(folder, 'service', `${name}.cjs`), code);
  }
  const loader = await readFile(new URL('service-loader.cjs', import.meta.url), 'utf8');
  await writeFile(join(folder, 'service.cjs'), loader.replace('BUILD_ID', id.digest('hex').slice(0, 12)));
  return metafile;
}

function dynamicallyImported({ outputs }) {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  return imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external).map(({ path }) => basename(path));
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
