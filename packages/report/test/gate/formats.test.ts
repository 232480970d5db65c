import type { GateResult } from '@topo-bench/comparison';
import { expect, test } from 'vitest';
import { gateAnnotations } from '../../src/gate/annotations.ts';
import { gateJunit, xmlText } from '../../src/gate/junit.ts';
import { gateMarkdown } from '../../src/gate/markdown.ts';

/** Names and levels come from user-supplied files. */
const hostile = '<script>alert("1")</script> | `x` 100%, a:b\r\n::error::injected [x](javascript:1) \u0007\u{D800}&';

const result: GateResult = {
  verdict: 'failed',
  thresholds: [
    threshold('rtt.p95 < 20ms', 'passed', '3.2 ms'),
    {
      ...threshold(hostile, 'failed', hostile),
      cells: [
        {
          ...{
            factors: { architecture: hostile },
            metric: 'rtt.p95',
            threshold: hostile,
            passed: false,
            verdict: 'slower',
          },
          ...{
            baseline: 1,
            candidate: 2,
            difference: 1,
            differencePercent: 100,
            interval: [1, 1],
            pValue: 0.01,
            saturated: false,
          },
          repetitions: { candidate: { used: 5, invalid: 0, missing: 0 } },
        },
      ],
    },
    threshold('rtt.median < +5%', 'cannot tell', 'about 12 repetitions a side would tell'),
  ],
  notes: [hostile],
  profile: {
    factors: { architecture: hostile },
    pairs: 8,
    total: { us: 1000, intervalUs: [900, 1100] },
    functions: [
      {
        ...{ kind: 'own', name: hostile, file: hostile, line: 12, roles: [hostile], adjustedPValue: 0.01 },
        ...{ us: 930, intervalUs: [800, 1060] },
      },
    ],
    more: 0,
    missing: [{ role: hostile, why: hostile }],
  },
};

function threshold(text: string, verdict: GateResult['verdict'], reason: string): GateResult['thresholds'][number] {
  return { threshold: text, metric: 'rtt.p95', kind: 'absolute', limit: 1, verdict, reason, cells: [] };
}

test('JUnit: a case per threshold, undecided as an error or, when allowed, skipped', () => {
  const xml = gateJunit(result);
  expect(xml).toContain('tests="3" failures="1" errors="1" skipped="0"');
  expect(xml.match(/<testcase /g)).toHaveLength(3);
  const allowed = gateJunit(result, { allowUndecided: true });
  expect(allowed).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(allowed).toContain('<skipped message="about 12 repetitions a side would tell"/>');
});

test('both formats name the functions of a profile', () => {
  const named = 'ms per request [0.80, 1.06] of +1.00 ms';
  expect(gateJunit(result)).toContain(`+0.93 ${named}`);
  expect(gateMarkdown(result).replaceAll('\\', '')).toContain(`+0.93 ${named}`);
});

test('JUnit: nothing from a file closes an attribute, opens an element or breaks XML', () => {
  const xml = gateJunit(result);
  expect(xml).not.toContain('<script>');
  expect(xml).toContain('alert(&quot;1&quot;)');
  // Every tag that is left is our own, and every & begins an entity.
  expect(new Set(xml.match(/<\/?[a-z-]+/g))).toEqual(
    new Set([
      '<testsuites',
      '<testsuite',
      '<testcase',
      '<failure',
      '<error',
      '<system-out',
      '</testsuites',
      '</testsuite',
      '</testcase',
      '</system-out',
    ]),
  );
  expect(xml.replace(/&(?:amp|lt|gt|quot|#\d+);/g, '')).not.toContain('&');
  expect(xml.replace(/&#\d+;/g, '')).not.toMatch(/[^\n\x20-\uFFFD]/u);
  expect(xmlText('\u0007\u{D800}😀')).toBe('\u{FFFD}\u{FFFD}😀');
});

test('Markdown: markup from a file is shown, not rendered', () => {
  const markdown = gateMarkdown(result);
  expect(markdown).toContain('### Performance gate: ❌ failed');
  expect(markdown).not.toContain('<script>');
  expect(markdown).not.toMatch(/(?<!\\)`/);
  expect(markdown).not.toMatch(/(?<!\\)\]\(/);
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  // A head, a rule, and a row per threshold.
  expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([4, 4, 4, 4, 4]);
});

test('annotations: one line per threshold that did not pass, with nothing that could issue another command', () => {
  const lines = gateAnnotations(result);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^::error title=/);
  expect(lines[1]).toBe('::warning title=rtt.median < +5%25%3A cannot tell::about 12 repetitions a side would tell');
  for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  const title = /title=(.*?)::/.exec(lines[0] as string)?.[1];
  expect(title).toContain('100%25%2C a%3Ab%0D%0A%3A%3Aerror%3A%3Ainjected');
});
