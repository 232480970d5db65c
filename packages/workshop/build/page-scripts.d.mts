import type { BrowserScript } from '../../report/build/page-script.mjs';

export function buildPageScripts(root: string): Promise<Record<'page' | 'worker' | 'whatIf', BrowserScript>>;
export function packedWorker(text: string): string;
export function bundled(root: string, entry: string): Promise<BrowserScript>;
