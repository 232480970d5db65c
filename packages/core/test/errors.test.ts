import { describe, expect, it } from 'vitest';
import { formatError, formatLocation, TopoBenchError } from '../src/errors.ts';
import { ExitCode } from '../src/exit-codes.ts';

const place = { file: 'topology.yaml', line: 3, column: 7 };

describe('an error', () => {
  it('has the exit code of its code', () => {
    expect(new TopoBenchError('TB_USAGE', 'x').exitCode).toBe(ExitCode.badInput);
    expect(new TopoBenchError('TB_INTERNAL', 'x').exitCode).toBe(ExitCode.internal);
    expect(new TopoBenchError('TB_INTERRUPTED', 'x').exitCode).toBe(130);
  });

  it('keeps what it is about: hint, place, problems and cause', () => {
    const cause = new Error('below');
    const problems = [{ ...place, code: 'TB_USAGE' as const, message: 'p' }];
    const error = new TopoBenchError('TB_USAGE', 'x', { hint: 'h', location: place, problems, cause });
    expect(error).toMatchObject({ name: 'TopoBenchError', message: 'x', hint: 'h', location: place, problems, cause });
    expect(new TopoBenchError('TB_USAGE', 'x').problems).toEqual([]);
    expect('cause' in new TopoBenchError('TB_USAGE', 'x')).toBe(false);
  });

  it('reads as one line with its place, one per problem, and the hint', () => {
    const problems = [
      { ...place, code: 'TB_UNIT_INVALID' as const, message: 'no unit', hint: 'write 10ms' },
      { ...place, line: 9, code: 'TB_USAGE' as const, message: 'odd', severity: 'warning' as const },
    ];
    expect(
      formatError(new TopoBenchError('TB_USAGE', 'two problems', { location: place, hint: 'see --help', problems })),
    ).toBe(
      [
        'error TB_USAGE: topology.yaml:3:7: two problems',
        '  topology.yaml:3:7: error TB_UNIT_INVALID: no unit',
        '    hint: write 10ms',
        '  topology.yaml:9:7: warning TB_USAGE: odd',
        'hint: see --help',
      ].join('\n'),
    );
    expect(formatLocation(place)).toBe('topology.yaml:3:7');
  });

  it('that is not ours reads with its stack, and what is no error as text', () => {
    expect(formatError(new TypeError('odd'))).toContain('errors.test.ts');
    expect(formatError('odd')).toBe('odd');
  });
});
