import { stripVTControlCharacters } from 'node:util';
import type { Cell, EventRecord } from '@topo-bench/core/schema/result';
import { cellsCsv, parseCsv, readReport, renderPage } from '@topo-bench/report';
import { summaryTable } from '@topo-bench/report/terminal';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { crashLosses } from '../../src/report/crash-losses.ts';
import { eventFigures, figuresPerOutage } from '../../src/report/event-figures.ts';
import { eventSentences } from '../../src/report/event-sentences.ts';
import { classPanels } from '../../src/report/events-section.ts';
import { versionPanels } from '../../src/report/version-panels.ts';

const instant = (ms: number) => ({ atUs: ms * 1e3, requestedUs: ms * 1e3, effectiveUs: ms * 1e3 });
function crash(
  atMs: number,
  endMs: number | undefined,
  lost: number,
  failed: number,
  recoveredMs: number,
): EventRecord {
  const end = endMs === undefined ? {} : { end: instant(endMs) };
  const effects = { lost, failed, late: 0, detectedUs: 7000, firstSuccessUs: 9e5, recoveredUs: recoveredMs * 1e3 };
  return { name: 'crash points', kind: 'crash', roles: ['p'], begin: instant(atMs), ...end, effects };
}

const noRequests = {
  ...{ answered: 0, refused: 0, lost: 0, late: 0, failed: 0, duplicated: 0, stale: 0, torn: 0, undecided: 0 },
  ...{ lostAt: {}, failedBy: {} },
};

/** Two architectures; the number of failed requests is that of the repetition, ten times as many under sidecars. */
async function run(repetitions: number, classes?: Cell['classes'], more: (cell: Cell) => Partial<Cell> = () => ({})) {
  const folder = await temporaryFolder();
  const change = (cell: Cell): Cell => {
    const failed = cell.repetition * (cell.factors.architecture === 'sidecar' ? 10 : 1);
    const classesOverTime = { stepMs: 250, served: [10, 8], lost: [0, 1], failed: [0, 1] };
    return {
      ...cell,
      events: [crash(2000, 3000, 2, failed, 1000), crash(5000, undefined, 4, failed, 500)],
      classesOverTime,
      ...(classes && { classes }),
      ...more(cell),
    };
  };
  const architectures = ['central-entity', 'sidecar'];
  await syntheticRun(folder, { architectures, services: [5], rates: [100], repetitions, requests: 30, change });
  return readReport([folder], studyReportOf);
}

describe('planned crashes in a report', () => {
  it('are the first sentence: requests per crash that were not served, with intervals', async () => {
    const sentences = eventSentences(await run(7));
    expect(sentences[0]).toBe(
      'Requests that were not served per crash: central-entity 7 [4, 10], sidecar 43 [13, 73]. In brackets: 95% intervals.',
    );
    expect(sentences.slice(1)).toEqual([
      'Of these, lost without any answer: central-entity 3, sidecar 3.',
      'From a crash until service was as before: central-entity 750 ms, sidecar 750 ms.',
    ]);
  });

  it('have the range of the repetitions where these are too few for an interval', async () => {
    const [sentence] = eventSentences(await run(2));
    expect(sentence).toContain('central-entity 4.5 [4, 5]');
    expect(sentence).toContain('In brackets: smallest and largest repetition.');
  });

  it('have a figure for each event of each cell: medians of its repetitions', async () => {
    const figures = eventFigures(await run(3));
    expect(figures.map(({ at, failed, lastsUs }) => [at, failed, lastsUs])).toEqual([
      [0, 2, 1e6],
      [0, 2, Number.POSITIVE_INFINITY],
      [1, 20, 1e6],
      [1, 20, Number.POSITIVE_INFINITY],
    ]);
    expect(figuresPerOutage(await run(1), 'crash').map(({ unserved }) => unserved)).toEqual([4, 13]);
  });

  it('at drawn times have the means of their repetition, and their median: as in the sentence', async () => {
    const more = ({ repetition }: Cell): Partial<Cell> => ({
      events: Array.from({ length: repetition }, (_, at) => ({
        ...crash(1000 * (at + 1), 1000 * (at + 1) + 500, 0, at === 0 ? 12 : 0, 100),
        drawn: true as const,
      })),
    });
    const report = await run(3, undefined, more);
    // 12, 12 / 2 and 12 / 3; the median of all six crashes is 0.
    expect(eventFigures(report).map(({ failed }) => failed)).toEqual([6, 6]);
    expect(figuresPerOutage(report, 'crash').map(({ unserved }) => unserved)).toEqual([6, 6]);
  });

  it('are drawn over time, in requests per second', async () => {
    const [panel] = classPanels(await run(2));
    expect(panel).toMatchObject({ title: 'central-entity', stepMs: 250, stacked: true, max: 40 });
    expect(panel?.lines.map(({ name, values }) => [name, values])).toEqual([
      ['served', [40, 32]],
      ['lost', [0, 4]],
      ['failed', [0, 4]],
    ]);
  });

  it('of rules last until their confirmation, and each point has its version over time', async () => {
    const change = { ...crash(100, undefined, 0, 0, 0), kind: 'rules' as const, name: 'rules v2' };
    const events = [{ ...change, begin: { ...change.begin, effectiveUs: 160_000 } }];
    const none = { requests: 0, decisions: 0, letThrough: 0, refused: 0, exposedBytes: {}, lastUs: 0 };
    const points = [
      { name: 'p', sinceUs: [0, 400_000] },
      { name: 'q', sinceUs: [0, null] },
    ];
    const versions = [{ digest: 'd', lastUs: 0 }];
    const staleness = { versions, points, sinceConfirmed: none, sinceAsked: none, torn: 0 };
    const report = await run(1, undefined, () => ({ events, staleness }));
    expect(eventFigures(report).map(({ lastsUs }) => lastsUs)).toEqual([60_000, 60_000]);
    const [panel] = versionPanels(report);
    expect([panel?.max, panel?.lines.map(({ name }) => name)]).toEqual([1, ['p', 'q']]);
    const [p = [], q] = (panel?.lines ?? []).map(({ values }) => values);
    // A line has 300 steps, here in half a second.
    expect([p.indexOf(1), p.at(-1), new Set(q)]).toEqual([240, 1, new Set([0])]);
    const page = renderPage(report, '');
    expect(page).toContain('"startMs":100,"endMs":160,');
    expect(page).toContain('Versions in force at each enforcement point');
    expect(renderPage(await run(1), '')).not.toContain('Versions in force');
  });

  it('have the steps that another point took over per crash, in sentences, table and CSV, with takeover alone', async () => {
    const taking = ({ factors, repetition, events = [] }: Cell): Partial<Cell> => {
      if (factors.architecture === 'sidecar') return {};
      const effectsOf = (event: EventRecord) => ({ ...(event.effects as object), takenOver: 8 * repetition });
      return {
        events: events.map((event) => ({ ...event, effects: effectsOf(event) as EventRecord['effects'] })),
        takenOver: { requests: 5, steps: 20 * repetition },
      };
    };
    const crashes = [crash(2000, 3000, 2, 1, 1000), crash(5000, undefined, 4, 1, 500)];
    const report = await run(2, undefined, (cell) => taking({ ...cell, events: crashes }));
    expect(eventSentences(report)).toContain(
      'Steps that another enforcement point took over per crash: central-entity 12.',
    );
    const text = stripVTControlCharacters(summaryTable(report, { columns: 160, colours: false }));
    expect(text).toMatch(/late +taken over +detected/);
    expect(text).toMatch(/central-entity +crash points +2 s +1 s +2 +1 +0 +12 +7 ms/);
    // Its architecture is that of the row above.
    expect(text).toMatch(/^ +crash points +5 s +to the end +4 +15 +0 +– +7 ms/m);
    const [header, ...rows] = parseCsv(cellsCsv(report)) as [string[], ...string[][]];
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)]);
    expect([column('takenOver.perCrash'), column('takenOver.steps')]).toEqual([
      ['12', ''],
      ['30', ''],
    ]);
    expect(column('lost.perCrash')).toEqual(['3', '3']);
    expect(header).not.toContain('staleness.last');
    expect(eventSentences(await run(2)).join(' ')).not.toContain('took over');
  });

  it('have the error of other clocks where generators are on other hosts', async () => {
    const clock = { offsetUs: 9e6, errorUs: 300, driftUs: -40, driftErrorUs: 60 };
    const generated = ({ schedulerLag }: Cell): Partial<Cell> => {
      const one = {
        name: 'g',
        sent: 1,
        cpuPercent: 1,
        rssBytes: 1,
        eventLoopUtilization: 0,
        schedulerLag,
        startLateUs: 0,
      };
      return { generator: { realTimePriority: true, each: [{ ...one, clock }, one] } };
    };
    const text = 'times since an event carry an error of up to 400 µs.';
    expect(eventSentences(await run(1, undefined, generated)).join(' ')).toContain(text);
    expect(eventSentences(await run(1)).join(' ')).not.toContain('carry an error');
  });

  it('stand at the top of the output, with a table', async () => {
    const text = stripVTControlCharacters(summaryTable(await run(2), { columns: 140, colours: false }));
    expect(text).toMatch(/^Requests that were not served per crash/);
    expect(text).toMatch(/^ +crash points +5 s +to the end +4 +15 +0 +7 ms +900 ms +500 ms/m);
  });

  it('name in a narrow terminal the columns that are left out, and keep late requests', async () => {
    const late = (event: EventRecord) => ({ ...event, effects: { ...(event.effects as object), late: 3 } });
    const more = ({ events = [] }: Cell): Partial<Cell> => ({ events: events.map(late) as EventRecord[] });
    const crashes = [crash(2000, 3000, 2, 1, 1000)];
    for (const [report, left] of [
      [await run(1, undefined, () => more({ events: crashes } as Cell)), 'first success'],
      [await run(1), 'late, first success'],
    ] as const) {
      const text = stripVTControlCharacters(summaryTable(report, { columns: 70, colours: false }));
      expect(text).toContain(`Left out for lack of width: ${left}.`);
    }
  });

  it('have a table of all classes, which add up to the schedule', async () => {
    const classes = { answered: 1, refused: 2, lost: 4, late: 8, failed: 16, duplicated: 32 };
    const ofRules = { stale: 64, torn: 128, undecided: 256 };
    const page = renderPage(await run(1, { scheduled: 511, ...classes, ...ofRules, lostAt: {}, failedBy: {} }), '');
    const table = page.slice(page.indexOf('Classes of all requests')).split('</table>')[0] as string;
    const row = table.slice(table.indexOf('<tbody')).split('</tr>')[0] as string;
    const cells = row.match(/(?<=>)[^<>]+(?=<\/td>)/g) ?? [];
    // After the three factors.
    const [scheduled, ...each] = cells.slice(3).map(Number);
    expect(scheduled).toBe(511);
    expect(each.reduce((sum, count) => sum + count, 0)).toBe(scheduled);
  });

  it('that are drawn confirm the published finding where more requests are lost, next to the model', async () => {
    const drawn = (cell: Cell): Partial<Cell> => {
      const failed = cell.repetition + (cell.factors.architecture === 'sidecar' ? 20 : 0);
      const one = {
        ...crash(2000, 3000, 0, failed, 1000),
        drawn: true as const,
        expected: failed + (failed % 2) - 0.5,
      };
      return { events: [one], classes: { ...noRequests, scheduled: 200, failed, answered: 200 - failed } };
    };
    const [findings] = crashLosses(await run(7, undefined, drawn));
    expect(findings?.sentences).toEqual([
      'Requests that were not served per crash, measured and by the model: central-entity 4 [1, 7] and 3.5, sidecar 24 [21, 27] and 23.5.',
      'In 2 of 2 cells the difference of the two has a 95% interval that contains 0.',
      'Published: at equal crash probability of each role, decentralised architectures lose more requests than central-entity. This run confirms it for sidecar (more in 1 of 1 setting; +10 percentage points, 95% interval [10, 10]).',
    ]);
    const alike = (cell: Cell) => drawn({ ...cell, factors: { ...cell.factors, architecture: 'central-entity' } });
    const [undecided] = crashLosses(await run(7, undefined, alike));
    expect(undecided?.sentences[2]).toContain(
      'This run neither confirms nor refutes it for sidecar (more in 0 of 1 setting; +0 ',
    );
    const fewer = (cell: Cell) => {
      const architecture = cell.factors.architecture === 'sidecar' ? 'central-entity' : 'sidecar';
      return drawn({ ...cell, factors: { ...cell.factors, architecture } });
    };
    const [refuted] = crashLosses(await run(7, undefined, fewer));
    expect(refuted?.sentences[2]).toContain(
      'This run refutes it for sidecar (more in 0 and fewer in 1 of 1 setting; -10 ',
    );
  });

  it('name the cells that have no figure of the model', async () => {
    const ofCentral = (cell: Cell): Partial<Cell> => {
      if (cell.factors.architecture === 'sidecar') return {};
      return { events: [{ ...crash(2000, 3000, 0, 4, 1000), expected: 4 }] };
    };
    const [findings] = crashLosses(await run(2, { ...noRequests, scheduled: 200 }, ofCentral));
    expect(findings?.sentences.at(-1)).toBe('Left out, as the model has no figure for them: sidecar.');
  });

  it('are absent from a run without events', async () => {
    const folder = await temporaryFolder();
    await syntheticRun(folder, { architectures: ['none'], services: [5], rates: [100], repetitions: 1, requests: 4 });
    const text = summaryTable(await readReport([folder], studyReportOf), { columns: 140, colours: false });
    expect(text).not.toMatch(/crash|Events/);
  });
});
