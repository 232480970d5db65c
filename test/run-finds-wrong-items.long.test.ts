/**
 * An enforcement point that decides calls of items wrongly, passes data that rules withhold, or counts wrongly makes
 * the repetition of a store study invalid. Real processes and PostgreSQL, one mistake at a time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { SourceChange } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { ofPersonalData, redacting, rulesOf, storeRuns } from './fixtures/store-runs.ts';
import { root } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Rules that decide item by item, next to one about all items. */
const byItem = rulesOf(`  - id: not-delivered
    effect: deny
    when: { fact: request, path: $.payload.status, operator: equal, value: delivered }
  - { id: no-address, effect: redact, redact: { remove: [/note], pseudonymise: [/address/name] }, ${ofPersonalData} }
`);
const noCalls = rulesOf(`  - { id: nobody, effect: deny, ${ofPersonalData} }
`);
const noSums = rulesOf(`  - { id: no-sums, effect: redact, redact: { remove: [/totalCents] }, ${ofPersonalData} }
`);
const someIds = Array.from({ length: 100 }, (_, number) => `o-${String(number).padStart(9, '0')}`);
const byId = rulesOf(`  - id: some
    effect: deny
    when: { fact: request, path: $.payload.id, operator: in, value: [${someIds.join(', ')}] }
`);
const runStore = storeRuns('persistence: { store: sql-indexed, rows: 300 }');
const run = (change: SourceChange | undefined, rules: string, workload: string) =>
  runStore(change, rules, `{ persistence.workload: [${workload}] }`);

describe('a run over an enforcement point', () => {
  it.each([
    ['items are denied and redacted one by one', 'mixed', byItem],
    ['every call is refused', 'mixed', noCalls],
    ['sums are withheld', 'mixed', noSums],
    ['items are denied by their ids', 'mixed', byId],
  ])('has no wrong decision where %s', async (_, workload, rules) => {
    const { wrong, cells } = await run(undefined, rules, workload);
    expect(wrong).toBe(0);
    onlyHostReasons(cells);
  });
});

const sources = ['enforced-items', 'enforced-answers', 'item-guard', 'permitted-page', 'withheld-fields'].map(
  (name) => `services/src/items/${name}.ts`,
);

function sourceWith(text: string): string {
  const found = sources.find((file) => readFileSync(join(root, 'packages', file), 'utf8').includes(text));
  if (!found) throw new Error(`no source of the enforcement point has ${text}`);
  return found;
}

describe('a run whose last deletions get no answer', () => {
  it('is invalid, with a reason that names the call', async () => {
    const from = "await this.options.calls.send('DELETE', itemPath(call.parameter))";
    const { wrong, reasons } = await run(
      { file: sourceWith(from), from, to: "{ status: 503, text: '' }" },
      noSums,
      'mixed',
    );
    expect(reasons.join('\n')).toMatch(/closing call DELETE \/orders\/items\/o-\d+ has no usable answer: status 503/);
    expect(wrong).toBe(0);
  });
});

const passed: [what: string, workload: string, from: string, to: string, reason: RegExp, rules?: string][] = [
  [
    'stores items as they are',
    'write-heavy',
    'redacted ? redactedItem(item, redacted) : item',
    'item',
    /the service did not receive of o-\d+ what rules leave of it/,
  ],
  [
    'returns pseudonyms of what a writer sent',
    'write-heavy',
    "const masks = effect === 'redact'",
    "const masks = effect === 'reroute'",
    /the answer to a write of o-\d+ is not what rules leave of it/,
  ],
  [
    'decides without the ids of items',
    'read-heavy',
    'this.factsOf(facts, { ...item })',
    "this.factsOf(facts, { ...item, id: 'another' })",
    /(a reader of o-\d+ got what rules do not|in a form that rules do not) leave/,
    byId,
  ],
  [
    'returns items as they are',
    'read-heavy',
    "if (decision.effect !== 'redact') return",
    'if (decision.effect) return',
    /a reader of o-\d+ got what rules do not leave of it/,
  ],
  [
    'returns pseudonyms under another key',
    'read-heavy',
    'this.options.pseudonymKey)',
    "'another')",
    /(a reader of o-\d+ got what rules do not|in a form that rules do not) leave/,
    byItem,
  ],
  [
    'returns items that a rule denies',
    'read-heavy',
    "if (decision.effect !== 'deny') return { item, decision };",
    'return { item, decision };',
    /a reader of o-\d+ got what rules do not leave of it/,
    byItem,
  ],
  [
    'passes calls that a rule denies',
    'read-heavy',
    'if (!permitted.refused) return permitted;',
    'if (call) return permitted;',
    /a call was answered \d+ with .* instead of being refused by nobody/,
    noCalls,
  ],
  [
    'lists items that a rule denies',
    'read-heavy',
    "if (decision.effect === 'deny') {\n        reads",
    "if (decision.effect === 'reroute') {\n        reads",
    /a list contains o-\d+ in a form that rules do not leave/,
    byItem,
  ],
  [
    'leaves an item out of lists',
    'read-heavy',
    'for (const item of page.items) {',
    'for (const item of page.items.slice(1)) {',
    /a list lacks o-\d+, which no rule denies/,
    byItem,
  ],
  [
    'reports how many denied items a list matched',
    'read-heavy',
    'page.items.map(({ decision }) => decision),',
    "[...page.items.map(({ decision }) => decision), { effect: 'deny' as const }],",
    /a list reports items that rules deny/,
    byItem,
  ],
  [
    'answers pages that denied items make shorter',
    'read-heavy',
    'items.length === wanted',
    'page.items.indexOf(item) + 1 >= wanted',
    /a list of \d+ items, wanted 20, continues/,
    byItem,
  ],
  [
    'names the rule that denies an item',
    'read-heavy',
    'this.report([denial], { exposureBytes: {} })',
    "this.report([{ effect: 'deny', rule: 'not-delivered' }], { exposureBytes: {} })",
    /a reader of o-\d+ got what rules do not leave of it \(451/,
    byItem,
  ],
  [
    'answers a missing item otherwise than a denied one',
    'read-heavy',
    '(answer.status === 404 && mayDeny)',
    '(answer.status === 410 && mayDeny)',
    /o-\d+ was read after its deletion \(404\)/,
    byItem,
  ],
  [
    'replaces items that a rule denies',
    'write-heavy',
    "method === 'PUT' ? await this.storedBefore(facts, path) : 'free'",
    "'free' as 'free' | 'denied' | HopAnswer",
    /a write replaced o-\d+, which is denied to its caller/,
    byItem,
  ],
  [
    'refuses statistics although no rule looks at items',
    'read-heavy',
    'possible.length > 0',
    'true',
    /statistics were answered 451/,
    noSums,
  ],
  [
    'names another rule',
    'write-heavy',
    'writeEnforcement(decisions, others)',
    "writeEnforcement(decisions.map((one) => ({ ...one, rule: 'another' })), others)",
    /a write was decided \S*"rule":"another"\S* instead of \S*"rule":"no-/,
  ],
  [
    'counts no exposure of writes',
    'write-heavy',
    'if (this.options.onNodeOfStore) addExposure',
    'if (!this.options.onNodeOfStore) addExposure',
    /a write exposed \{\} instead of \{"personal":\d+\}/,
  ],
  [
    'counts exposure of reads',
    'read-heavy',
    'this.report(decisions, { exposureBytes: {} })',
    'this.report(decisions, { exposureBytes: { personal: 1 } })',
    /a read exposed \{"personal":1\} instead of \{\}/,
    byItem,
  ],
  [
    'deletes items that a rule denies',
    'read-heavy',
    'if (permitted.readsItems) {',
    'if (permitted.readsItems && !call) {',
    /a deletion of o-\d+ was answered 204/,
    byItem,
  ],
  [
    'deletes nothing',
    'read-heavy',
    "await this.options.calls.send('DELETE', itemPath(call.parameter))",
    "{ status: 204, text: '' }",
    /o-\d+ was read after its deletion/,
    noSums,
  ],
  [
    'shows sums that a rule withholds',
    'read-heavy',
    "!withheld.includes('totalCents')",
    'true',
    /statistics have other members than rules leave/,
    noSums,
  ],
];

describe('a run over an enforcement point that', () => {
  it.each(passed)('%s is invalid (%s)', async (_, workload, from, to, reason, rules = redacting) => {
    const found = await run({ file: sourceWith(from), from, to }, rules, workload);
    expect(found.reasons.join('\n')).toMatch(reason);
    expect(found.wrong).toBeGreaterThan(0);
  });
});
