import type { Metafile } from 'esbuild';

export interface BrowserScript {
  text: string;
  metafile: Metafile;
}

export function buildPageScript(root: string): Promise<BrowserScript>;
export function bundleForBrowser(
  root: string,
  entry: string,
  name: string,
  external?: readonly string[],
): Promise<BrowserScript>;
