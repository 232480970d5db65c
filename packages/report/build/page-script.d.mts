import type { Metafile } from 'esbuild';

export function buildPageScript(root: string): Promise<{ text: string; metafile: Metafile }>;
