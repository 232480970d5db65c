import { readReport, renderPage, summaryTable } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import type { ChartData } from '../../../report/test/fixtures/inner-parts.ts';
import { type SyntheticOptions, syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { withTimedRounds } from '../../../study-kit/test/fixtures/timed-rounds.ts';

const noise = [1, 1.04, 0.97, 1.02, 0.99, 1.01];

async function terminal(options: SyntheticOptions): Promise<{ text: string; page: string }> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { services: [12], requests: 3, repetitions: 4, ...options });
  const report = await readReport([folder], studyReportOf);
  const text = summaryTable(report, { columns: 400, colours: false });
  return { text, page: renderPage(report, '') };
}

/** Sets the median, and p95 at twice of it, of a repetition of a cell. */
type Change = NonNullable<SyntheticOptions['change']>;

const timed: (ms: (level: number, architecture: string) => number, of: string) => Change = (ms, of) => (cell) => {
  const medianUs =
    1e3 * ms(Number(cell.factors[of]), String(cell.factors.architecture)) * (noise[cell.repetition - 1] as number);
  return {
    ...cell,
    rtt: { ...cell.rtt, medianUs, p95Us: 2 * medianUs },
    resources: {
      'central-entity': { eventLoopUtilization: Number(cell.factors[of]) >= 80 ? 0.98 : 0.3 },
      host: { idlePercent: 40 },
    },
    validity: { valid: true, reasons: [], flags: [] },
  };
};

describe('a factor with ordered levels', () => {
  test('the knee of each architecture opens the answer, with its limit and the growth there', async () => {
    const { text, page } = await terminal({
      architectures: ['central-entity', 'sidecar'],
      rates: [160, 20, 40, 80],
      change: timed((rate, architecture) => (architecture === 'sidecar' || rate < 80 ? 10 : 120), 'rate'),
    });
    expect(text).toMatch(
      /^With 12 services, central-entity bears 40 req\/s; at 80 req\/s the event loop of central-entity is 98% busy, and the median is 12\.0× \[11\.\d× … 12\.\d×\] that at 40 req\/s\./,
    );
    expect(text).toMatch(
      /With 12 services, sidecar bears 160 req\/s, the highest level of the run: the median there is 1\.00×/,
    );
    const rows = text.split('\n').filter((line) => / {2}(within|beyond|open) /.test(line));
    expect(rows).toHaveLength(8);
    expect(rows[2]).toMatch(
      /^ +80 +12\d\.?\d* +\[116\.4 … 124\.8\] +24\d\.?\d* +\[232\.8 … 249\.6\] +beyond +central-entity 98%, host 40% idle/,
    );
    expect(page).toContain('<section id="trend-rate"');
    expect(page.match(/text-anchor="middle" fill="var\(--c\)">knee</g)).toHaveLength(2);
  });

  test('the page draws median and p95 with a value for each repetition, and the knee, from its data', async () => {
    const { page } = await terminal({
      architectures: ['central-entity', 'sidecar'],
      rates: [160, 20, 40, 80],
      change: timed((rate, architecture) => (architecture === 'sidecar' || rate < 80 ? 10 : 120), 'rate'),
    });
    const [, data = ''] = /<script[^>]*id="chart-data"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
    const { lines, cells, factors } = JSON.parse(data) as ChartData;
    const panels = lines['trend-rate'] ?? [];
    expect(panels.map(({ heading }) => heading)).toEqual([
      'median round-trip time (ms)',
      'p95 of round-trip time (ms)',
    ]);
    for (const [panel, times] of [1, 2].entries()) {
      // Rates that double have even distances.
      expect(panels[panel]).toMatchObject({
        levels: ['20', '40', '80', '160'],
        positions: [0, 1, 2, 3],
        axis: 'req/s, logarithmic',
      });
      const [central, sidecar] = panels[panel]?.lines ?? [];
      expect([central?.name, central?.knee]).toEqual(['central-entity', [1, 2]]);
      expect([sidecar?.name, sidecar?.knee]).toEqual(['sidecar', undefined]);
      expect(central?.points.map(({ value }) => value)).toEqual([10.1, 10.1, 121.2, 121.2].map((ms) => times * ms));
      expect(central?.points[3]?.repetitions).toEqual([116.4, 120, 122.4, 124.8].map((ms) => times * ms));
      // Points and rows refer to the cell of their architecture and rate, for the filter.
      const [architecture, rate] = ['architecture', 'rate'].map((name) =>
        factors.findIndex((one) => one.name === name),
      );
      expect(sidecar?.points).toHaveLength(4);
      for (const { cell, level } of sidecar?.points ?? []) {
        expect(factors[architecture as number]?.levels[cells[cell]?.levels[architecture as number] ?? -1]).toBe(
          'sidecar',
        );
        expect(cells[cell]?.levels[rate as number]).toBe(level);
      }
    }
    const [, rows = ''] =
      /<section id="trend-rate".*?<tbody>(.*?)<\/tbody>/s.exec(page.replace(/<noscript>.*?<\/noscript>/gs, '')) ?? [];
    const shown = [...rows.matchAll(/data-cell="(\d+)"><td>([^<]*)</g)].map(([, cell, name]) => [Number(cell), name]);
    expect(shown.map(([, name]) => name)).toEqual([...Array(4).fill('central-entity'), ...Array(4).fill('sidecar')]);
    const drawn = panels[0]?.lines.flatMap(({ points }) => points.map(({ cell }) => cell));
    expect(shown.map(([cell]) => cell)).toEqual(drawn);
  });

  test('without script p95 has its own chart, with a dot for each repetition', async () => {
    const { page } = await terminal({
      architectures: ['central-entity'],
      rates: [20, 40],
      change: timed(() => 10, 'rate'),
    });
    const [, without = ''] = /data-figure="trend-rate".*?<noscript>(.*?)<\/noscript>/s.exec(page) ?? [];
    const [median = '', p95 = ''] = without.split('<figure').slice(1);
    expect(median).toContain('aria-label="Median round-trip time over req/s: central-entity 20: 10.1 ms, 40: 10.1 ms"');
    expect(p95).toContain('aria-label="p95 of round-trip times over req/s: central-entity 20: 20.2 ms, 40: 20.2 ms"');
    for (const chart of [median, p95]) expect(chart.match(/<circle [^>]*r="1\.8"/g)).toHaveLength(2 * 4);
    const heights = [...p95.matchAll(/cy="([\d.]+)" r="1\.8"/g)].map(([, cy]) => Number(cy));
    expect(new Set(heights).size).toBe(4);
  });

  test('three architectures with a knee share a sentence, which has the limit and the growth of each', async () => {
    const architectures = ['none', 'central-entity', 'dynamic-router-3', 'sidecar'];
    const folder = await temporaryFolder();
    await syntheticRun(folder, {
      ...{ services: [12], requests: 3, repetitions: 4, architectures, rates: [20, 40, 80] },
      change: timed((rate, architecture) => (architecture !== 'none' && rate >= 80 ? 120 : 10), 'rate'),
    });
    const { trendSentences } = await import('@topo-bench/report/model');
    const { shown } = trendSentences(await readReport([folder], studyReportOf));
    expect(shown).toHaveLength(2);
    expect(shown.join(' ')).toMatch(/none bears 80 req\/s, the highest level of the run/);
    const knees = shown.find((text) => text.includes('before the knee')) ?? '';
    const [start, ...parts] = knees.split(/[:;] /);
    expect(start).toBe('With 12 services, borne at the last level before the knee');
    expect(parts.map((part) => part.split(' ')[0])).toEqual(architectures.slice(1));
    for (const part of parts) {
      expect(part).toMatch(
        / 40 req\/s, and at 80 req\/s .* is 98% busy, with a median 12\.0× \[1.*\] that at 40 req\/s/,
      );
    }
  });

  test('an axis over levels of a large range is labelled logarithmic, with script and without', async () => {
    const axesOf = async (rates: number[]): Promise<(string | undefined)[]> => {
      const { page } = await terminal({ architectures: ['sidecar'], rates, change: timed(() => 10, 'rate') });
      const [, data = ''] = /<script[^>]*id="chart-data"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
      const { lines } = JSON.parse(data) as ChartData;
      const [, without = ''] = /data-figure="trend-rate".*?<noscript>(.*?)<\/noscript>/s.exec(page) ?? [];
      const drawn = [...without.matchAll(/>(req\/s[^<]*)<\/text>/g)].map(([, label]) => label);
      return [...(lines['trend-rate'] ?? []).map(({ axis }) => axis), ...drawn];
    };
    expect(await axesOf([20, 40, 160])).toEqual(Array(4).fill('req/s, logarithmic'));
    expect(await axesOf([20, 40, 60])).toEqual(Array(4).fill('req/s'));
  });

  test('a terminal has charts of median and p95 in its width: the slower architecture is higher, levels and knee below', async () => {
    const folder = await temporaryFolder();
    await syntheticRun(folder, {
      services: [12],
      requests: 3,
      repetitions: 4,
      architectures: ['central-entity', 'sidecar'],
      rates: [160, 20, 40, 80],
      change: timed((rate, architecture) => (architecture === 'sidecar' || rate < 80 ? 10 : 120), 'rate'),
    });
    const report = await readReport([folder], studyReportOf);
    for (const columns of [50, 80, 120, 200]) {
      const lines = summaryTable(report, { columns, colours: false }).split('\n');
      for (const title of ['Median round-trip time over rate', 'p95 of round-trip times over rate']) {
        const from = lines.indexOf(title);
        expect(from).toBeGreaterThan(0);
        const chart = lines.slice(from + 1, from + 17);
        expect(Math.max(...chart.map((line) => line.length))).toBe(Math.min(120, columns));
        const plot = chart.filter((line) => line.includes('│'));
        const rowOf = (mark: string): number => plot.findIndex((line) => line.slice(line.indexOf('│')).includes(mark));
        expect(rowOf('o')).toBeLessThan(rowOf('x'));
        expect(chart.at(-1)).toMatch(/^o central-entity +x sidecar/);
        const levels = chart.find((line) => /^ +20 +40 +80 +160$/.test(line)) ?? '';
        // The knee lies between 40 and 80 req/s.
        // A narrow chart has room for the mark of the line only.
        const kneeText = columns === 50 ? 'knee of o' : 'knee of central-entity';
        const knee = chart.find((line) => line.endsWith(kneeText)) ?? '';
        expect(Math.abs(knee.indexOf('^') - levels.indexOf('40'))).toBeLessThanOrEqual(2);
        expect(Math.abs(knee.lastIndexOf('^') - levels.indexOf('80'))).toBeLessThanOrEqual(2);
        expect(chart.filter((line) => line.includes('knee of'))).toHaveLength(1);
        expect(chart.some((line) => line.includes('req/s, logarithmic; times on a'))).toBe(true);
        // The table follows.
        expect(lines.indexOf('Round-trip time over rate, in ms')).toBeGreaterThan(from);
      }
    }
    expect(summaryTable(report, { columns: 49, colours: false })).not.toContain('Median round-trip time over rate');
  });

  test('levels that were not borne count as beyond the knee, and late generators as not measured', async () => {
    const change = timed(() => 10, 'rate');
    const { text } = await terminal({
      architectures: ['central-entity'],
      rates: [20, 40, 80, 160],
      change: (cell) => {
        const { rate } = cell.factors;
        const notValid = { valid: false, flags: [] };
        const validity =
          rate === 80
            ? { ...notValid, reasons: ['in-flight cap of 8000 open requests reached: …'], overload: true as const }
            : { ...notValid, reasons: ['load generator CPU-bound'] };
        const changed = change(cell);
        return changed && (Number(rate) < 80 ? changed : { ...changed, validity });
      },
    });
    expect(text).toContain(
      'central-entity bears 40 req/s; at 80 req/s the event loop of central-entity is 98% busy, and the median is beyond every multiple of that at 40 req/s; 160 req/s could not be measured (load generator CPU-bound).',
    );
  });

  test('a lowest level at its limit bears nothing, and is no reference', async () => {
    const { text } = await terminal({
      architectures: ['central-entity'],
      rates: [80, 160],
      change: timed(() => 120, 'rate'),
    });
    expect(text).toMatch(
      /^With 12 services, central-entity is at its limit at 80 req\/s already, the lowest level of the run: the event loop of central-entity is 98% busy\. Lower levels would show what it bears\./,
    );
    expect(text).not.toMatch(/ bears |knee of/);
  });

  test('other programs that fill the host are no limit of the system', async () => {
    const change = timed(() => 10, 'rate');
    const { text } = await terminal({
      architectures: ['central-entity'],
      rates: [20, 40],
      change: (cell) => {
        const changed = change(cell);
        return changed && { ...changed, resources: { host: { idlePercent: 1, foreignPercent: 60 } } };
      },
    });
    expect(text).toContain('central-entity bears 40 req/s, the highest level of the run');
  });

  test('the lowest level that was measured is the reference', async () => {
    const change = timed((rate) => (rate < 160 ? 10 : 120), 'rate');
    const validity = { valid: false, reasons: ['load generator CPU-bound'], flags: [] };
    const unmeasured: Change = (cell) => {
      const changed = change(cell);
      return changed && (cell.factors.rate === 20 ? { ...changed, validity } : changed);
    };
    const options = { architectures: ['central-entity'], change: unmeasured };
    const { text, page } = await terminal({ ...options, rates: [20, 40, 80] });
    expect(text).toMatch(
      /central-entity bears 80 req\/s, the highest level of the run: the median there is 1\.00× \[.+\] that at 40 req\/s; 20 req\/s could not be measured \(load generator CPU-bound\)\./,
    );
    const [label] = /aria-label="Median round-trip time over req\/s[^"]*"/.exec(page) ?? [];
    expect(label).toMatch(/: central-entity 20: –, 40: 10\.\d+ ms, 80: 10\.\d+ ms"$/);
    const few = await terminal({ ...options, rates: [20, 40, 160], repetitions: 3 });
    expect(few.text).toContain('central-entity bears 40 req/s; whether it bears 160 req/s cannot be told');
  });

  test('times over a number of services are expected in proportion to it, and the note of the table states it', async () => {
    const { text } = await terminal({
      architectures: ['central-entity'],
      services: [3, 6, 12],
      rates: [20],
      change: timed((services) => 10 * services, 'services'),
    });
    expect(text.match(/ within /g)).toHaveLength(3);
    expect(text).toContain('Within: shown to be less than twice the lowest level in proportion to services.');
  });

  test('three repetitions are not enough for a knee, and the sentence has the number that is', async () => {
    const { text } = await terminal({ architectures: ['central-entity'], rates: [20, 200], repetitions: 3 });
    expect(text).toContain(
      'central-entity bears 20 req/s; whether it bears 200 req/s cannot be told: 4 valid repetitions of each level are needed, and a level has 3.',
    );
  });

  test('the time of missing repetitions is in the sentence, with the command that adds them', async () => {
    const folder = await temporaryFolder();
    const architectures = ['central-entity'];
    await syntheticRun(folder, { architectures, services: [12], rates: [20, 200], requests: 3, repetitions: 3 });
    const report = withTimedRounds(await readReport([folder], studyReportOf), 60);
    const { trendSentences } = await import('@topo-bench/report/model');
    expect(trendSentences(report).open[0]).toMatch(
      /a level has 3 \(about 60 s more: topo-bench run --resume runs\/one --repetitions 4\)\.$/,
    );
  });

  test('a factor that adds work has a slope per step, under its own name', async () => {
    const change: SyntheticOptions['change'] = (cell) => ({
      ...timed((rules) => 10 + 0.2 * rules, 'rulesPerService')(cell)!,
      cpuUsPerRequest: {
        gateway: 100,
        'central-entity': 900 + 780 * Number(cell.factors.rulesPerService) * (noise[cell.repetition - 1] as number),
        total: 1,
      },
    });
    const folder = await temporaryFolder();
    const options = { services: [12], architectures: ['central-entity'], rates: [20], requests: 3, repetitions: 4 };
    // One run per level, as a factor of its own has.
    const folders = await Promise.all(
      [0, 5, 10].map(async (rules) => {
        await syntheticRun(`${folder}/${rules}`, { ...options, more: { rulesPerService: rules }, change });
        return `${folder}/${rules}`;
      }),
    );
    const report = await readReport(folders, studyReportOf);
    const groups = report.groups.map((group) => {
      const { run: _run, ...factors } = group.factors;
      return { ...group, factors };
    });
    const { trendSentences } = await import('@topo-bench/report/model');
    const [sentence] = trendSentences({ groups }).shown;
    expect(sentence).toMatch(
      /^With 12 services, under central-entity, five more rules per service cost \+3\.\d+ ms of CPU at the central entity per request \[\+3\.\d+ ms … \+4\.\d+ ms\] and \+1\.\d+ ms of median round-trip time \[\+\d+ µs … \+1\.\d+ ms\] \(over 0 … 10\)\.$/,
    );
  });

  test('a median on an unfinished request is not left out of a slope', async () => {
    const slow: Change = (cell) => {
      const changed = timed((services) => 10 + services, 'services')(cell);
      const isUnfinished = cell.factors.services === 12 && cell.repetition < 3;
      return isUnfinished && changed
        ? { ...changed, rtt: { ...changed.rtt, medianUs: Number.POSITIVE_INFINITY } }
        : changed;
    };
    const options = { architectures: ['central-entity'], rates: [20], change: slow };
    const { text, page } = await terminal({ ...options, services: [3, 6, 12] });
    expect(text).toMatch(/of median round-trip time \[\+\d\S* (ms|µs) … \+∞\] \(over 3 … 12\)/);
    expect(page).toMatch(/aria-label="Median round-trip time over services: [^"]*12: &gt; \d+ m?s"/);
  });

  test.each([
    ['more', 1000, /under dynamic-router, one more router costs .*\+1(\.\d+)? ms of median round-trip time \[/],
    [
      'less',
      -1000,
      /one more router costs .* of CPU at the routers .* and saves 1(\.\d+)? ms of median round-trip time \[\d[^−+]* … \d[^−+]*\]/,
    ],
  ])('numbers of routers are levels of one architecture, and cost or save time: %s', async (_, stepUs, sentence) => {
    const { text } = await terminal({
      architectures: ['dynamic-router-1', 'dynamic-router-2', 'dynamic-router-3'],
      rates: [20],
      repetitions: 6,
      change: (cell) => {
        const medianUs =
          1e4 + stepUs * Number(String(cell.factors.architecture).at(-1)) * (noise[cell.repetition - 1] as number);
        return { ...cell, rtt: { ...cell.rtt, medianUs }, validity: { valid: true, reasons: [], flags: [] } };
      },
    });
    expect(text).toMatch(sentence);
  });

  test('levels of equal size have no trend', async () => {
    const folder = await temporaryFolder();
    const delays = ['40ms', '40000us', '80ms'];
    const options = { services: [12], architectures: ['sidecar'], rates: [20], requests: 3, repetitions: 1 };
    for (const delay of delays) await syntheticRun(`${folder}/${delay}`, { ...options, more: { delay } });
    const { groups } = await readReport(
      delays.map((delay) => `${folder}/${delay}`),
      studyReportOf,
    );
    const withoutRun = groups.map(({ factors: { run: _run, ...factors }, ...group }) => ({ ...group, factors }));
    const { trendSentences } = await import('@topo-bench/report/model');
    expect(trendSentences({ groups: withoutRun })).toEqual({ shown: [], open: [] });
    const others = withoutRun.filter(({ factors }) => factors.delay !== '40000us');
    const { open } = trendSentences({ groups: others });
    expect(open).toHaveLength(1);
    expect(open[0]).toMatch(
      /no change of CPU at the sidecars per request or of median round-trip time is shown for .*: an interval needs more repetitions\.$/,
    );
  });

  test('levels without an order have no trend', async () => {
    const { text, page } = await terminal({ architectures: ['none', 'sidecar'], rates: [20] });
    expect(text).not.toContain('bears');
    expect(page).not.toContain('id="trend-');
  });
});
