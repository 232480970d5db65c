import type { Metafile } from 'esbuild';

interface Script {
  text: string;
  metafile: Metafile;
}

export function buildPageScripts(root: string): Promise<{ page: Script; worker: Script }>;
export function bundled(root: string, entry: string): Promise<Script>;
