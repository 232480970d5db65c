import type { BrowserScript } from '../../report/build/page-script.mjs';

export function buildPageScripts(root: string): Promise<{ page: BrowserScript; worker: BrowserScript }>;
export function bundled(root: string, entry: string): Promise<BrowserScript>;
