/** `docs/errors.md`: every error code with its exit code, meaning and remedy, from the one table. */
import { type ErrorCodeEntry, errorCodes } from '@topo-bench/core';
import type { GeneratedFile } from './generator.ts';

export function errorPage(): GeneratedFile[] {
  const entries: [string, ErrorCodeEntry][] = Object.entries(errorCodes).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = entries.map(
    ([code, { exit, summary, remedy }]) => `| \`${code}\` | ${exit} | ${cellText(summary)} | ${cellText(remedy)} |`,
  );
  const content = [
    '# Error codes',
    '',
    '<!-- Generated from packages/core/src/error-codes.ts by `npm run generate`; edit there. -->',
    '',
    'Every error that topo-bench reports has one of these codes, on the terminal and in `--json` output alike. The exit code is',
    'that of a command that ends with the error.',
    '',
    '| code | exit code | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ];
  return [{ path: 'docs/errors.md', content: content.join('\n') }];
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|');
}
