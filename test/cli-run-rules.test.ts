/** Rules that change while an experiment runs, from its file to its cells and its report, in real processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import { smallRules, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

it('run: a change of rules is recorded, checked and reported', async () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder, (name, text) =>
    name === 'experiment.yaml'
      ? text
          .replace(
            / {2}architecture: .*/,
            '  architecture: [sidecar]\n  enforcement.consistency: [eventual, versioned]',
          )
          .replace('duration: 500ms', 'duration: 3s\nevents: [{ at: 1500ms, rules: v2.yaml }]')
      : text,
  );
  writeFileSync(join(folder, 'v2.yaml'), smallRules.replace('effect: deny\n', 'effect: allow\n'));
  const { stdout, stderr } = await topoBench(['run', 'experiment.yaml', '--out', 'run'], { cwd: folder });
  expect(stdout, stderr).toContain('Changes of rules');
  const cells = JSON.parse(readFileSync(join(folder, 'run/cells.json'), 'utf8')) as Cell[];
  expect(cells).toHaveLength(2);
  for (const { factors, events, staleness, classes, outcomes, decisions } of cells) {
    expect(events).toMatchObject([{ kind: 'rules', begin: { atUs: 1.5e6 } }]);
    const { requestedUs = 0, effectiveUs = 0 } = events?.[0]?.begin ?? {};
    expect(staleness?.versions).toMatchObject([{ confirmedAfterUs: effectiveUs - requestedUs }]);
    expect(staleness?.sinceConfirmed.decisions).toBe(0);
    if (factors['enforcement.consistency'] === 'versioned') expect(staleness?.torn).toBe(0);
    expect(decisions.wrong).toBe(0);
    // Refused before the change, also where the first requests take long; completed after it.
    expect([outcomes.refused > 0, outcomes.completed > outcomes.refused]).toEqual([true, true]);
    expect(classes?.torn).toBe(staleness?.torn);
  }
  expect(readFileSync(join(folder, 'run/report.html'), 'utf8')).toContain('id="rule-changes"');
});
