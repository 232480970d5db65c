/** `docs/errors.md`: every error code with its exit code, meaning and remedy. */
import { type ErrorCode, errorCodes } from '@topo-bench/core';
import { allErrorTexts } from '@topo-bench/studies/error-texts';
import type { GeneratedFile } from './generator.ts';
import { paragraph } from './paragraph.ts';

export function errorPage(): GeneratedFile[] {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).sort();
  const rows = codes.map((code) => {
    const { summary, remedy } = allErrorTexts[code];
    return `| \`${code}\` | ${errorCodes[code]} | ${cellText(summary)} | ${cellText(remedy)} |`;
  });
  const content = [
    '# Error codes',
    '',
    '<!-- Generated from packages/core/src/error-codes.ts and the files error-texts.ts by `npm run generate`; edit there. -->',
    '',
    ...paragraph(
      'Every error that topo-bench reports has one of these codes, on the terminal and in `--json` output alike. ' +
        'The exit code is that of a command that ends with the error.',
    ),
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
