import { describe, expect, it } from 'vitest';
import { duration, name, share, size } from '../src/schema/quantities.ts';

describe('quantities in files', () => {
  it('are converted to their base unit', () => {
    expect(duration.parse('10ms')).toBe(10_000);
    expect(size.parse('1KiB')).toBe(1024);
    expect(share.parse('5%')).toBe(0.05);
    expect(share.parse(0.25)).toBe(0.25);
  });

  it.each([10, '10'])('reject %j without its unit, with the code of units', (value) => {
    expect(duration.safeParse(value).error?.issues[0]).toMatchObject({
      code: 'custom',
      params: { code: 'TB_UNIT_INVALID', hint: expect.any(String) },
    });
  });

  it.each([true, null, [1], {}])('refuse %j as the wrong type', (value) => {
    expect(size.safeParse(value).error?.issues[0]).toMatchObject({ code: 'invalid_type', expected: 'string' });
  });

  it.each(['101%', 1.5, -0.1, '5'])('refuse %j as a share', (value) => {
    expect(share.safeParse(value).success).toBe(false);
  });

  it('take names that can be host names and file names, and no others', () => {
    for (const good of ['a', 'svc-1', 'A_b.c', 'x'.repeat(63)]) expect(name.safeParse(good).success).toBe(true);
    for (const bad of ['', '-a', 'a-', 'a b', 'a/b', '..', 'ä', 'x'.repeat(64), 'a@b'])
      expect(name.safeParse(bad).success).toBe(false);
  });
});
