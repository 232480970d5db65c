/**
 * The page as one document: style, scripts and data inline. The same document works from a disk, so an export is the
 * page with other data. The content security policy allows its style and script by hash, its worker as a `blob:`, and
 * requests to its own server.
 */
import { createHash } from 'node:crypto';
import type { Start } from '../browser/start.ts';
import { style } from '../browser/style.ts';

export interface PageScripts {
  page: string;
  worker: string;
}

export function pageDocument(start: Start, { page, worker }: PageScripts): { html: string; policy: string } {
  const policy = [
    "default-src 'none'",
    `style-src '${sha256(style)}'`,
    `script-src '${sha256(page)}'`,
    'worker-src blob:',
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">
<title>topo-bench workshop</title><style>${style}</style></head>
<body><div id="app"></div>
<script type="application/json" id="start">${inScript(JSON.stringify(start))}</script>
<script type="text/plain" id="worker">${worker}</script>
<script id="page">${page}</script></body></html>
`;
  return { html, policy };
}

/** JSON that ends no script element. */
function inScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
