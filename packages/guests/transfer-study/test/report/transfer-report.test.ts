import { fileURLToPath } from 'node:url';
import { cellsCsv, parseCsv, type Report, readReport, renderMarkdown, repetitionsCsv } from '@topo-bench/report';
import { renderPage } from '@topo-bench/report/html';
import { summaryTable } from '@topo-bench/report/terminal';
import { studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../report/test/fixtures/temporary-folder.ts';
import { withTimedRounds } from '../../../../study-kit/test/fixtures/timed-rounds.ts';
import { governancePairs, protocolPairs, tlsPairs } from '../../src/report/pairs.ts';
import { readPublishedThroughputs } from '../../src/report/published-throughputs.ts';
import { transferCells } from '../../src/report/transfer-cells.ts';
import { transferSentences } from '../../src/report/transfer-sentences.ts';
import { transferTables } from '../../src/report/transfer-tables.ts';
import { type TransferCondition, transferRun } from '../fixtures/transfer-run.ts';

const study = fileURLToPath(new URL('../../../../../experiments/published/flight-study.csv', import.meta.url));

async function reportOf(conditions: readonly TransferCondition[], published?: string): Promise<Report> {
  const folder = await temporaryFolder();
  await transferRun(folder, conditions);
  return readReport([folder], studyReportOf, { ...(published !== undefined && { published }), boxPlots: true });
}

const four = (rate: number): number[] => [rate, rate * 1.1, rate * 1.2, rate * 1.3];

describe('pairs of transfers', () => {
  test('Flight is compared with every other protocol at the same levels, with the interval of all 16 pairs of repetitions', async () => {
    const report = await reportOf([
      { protocol: 'flight', rates: four(20) },
      { protocol: 'json', rates: four(1) },
      { protocol: 'json', streams: 4, rates: four(3) },
    ]);
    const pairs = protocolPairs(transferCells(report));
    expect(pairs).toHaveLength(1);
    expect(pairs[0]?.baseline).toMatchObject({ protocol: 'json', streams: 1 });
    // Four repetitions a side: the exact 95% interval reaches from the smallest of the 16 ratios to the largest.
    expect(pairs[0]?.estimate).toBeCloseTo(20);
    expect(pairs[0]?.interval[0]).toBeCloseTo(20 / 1.3);
    expect(pairs[0]?.interval[1]).toBeCloseTo(20 * 1.3);
  });

  test('servers that are not ours are named with their version', async () => {
    const ours = { server: { name: 'topo-bench' }, rates: four(10) };
    const pyarrow = { server: { name: 'pyarrow', version: '26.0.1' }, others: { server: 'pyarrow' }, rates: four(12) };
    const named = async (conditions: readonly TransferCondition[]) =>
      transferSentences(await reportOf(conditions)).filter((text) => text.startsWith('Flight server'));
    expect(await named([ours])).toEqual([]);
    expect(await named([pyarrow])).toEqual(['Flight server: pyarrow 26.0.1.']);
    expect(await named([{ ...ours, others: { server: 'topo-bench' } }, pyarrow])).toEqual([
      'Flight servers: topo-bench, pyarrow 26.0.1.',
    ]);
  });

  test('TLS is compared with no TLS at the same levels, by any name of its factor', async () => {
    const report = await reportOf([
      { others: { tls: false }, rates: four(10) },
      { others: { tls: true }, rates: four(6) },
      { operation: 'put', others: { tls: true }, rates: four(2) },
    ]);
    const pairs = tlsPairs(transferCells(report));
    expect(pairs.map(({ baseline, candidate }) => [baseline.levels.tls, candidate.levels.tls])).toEqual([
      [false, true],
    ]);
    const [sentence] = transferSentences(report).filter((text) => text.startsWith('TLS'));
    // 1 − 0.6 · 1.3 and 1 − 0.6 / 1.3.
    expect(sentence).toBe(
      'TLS cost 40.0% of the throughput (95% interval 22.0% to 53.8%; get, 1 stream of 1,000 rows).',
    );
    const named = 'topology.services.table.arrow.flight.tls.enabled';
    const byPath = await reportOf(
      [false, true].map((level) => ({ others: { [named]: level }, rates: four(level ? 5 : 10) })),
    );
    expect(tlsPairs(transferCells(byPath))[0]?.estimate).toBeCloseTo(0.5);
  });

  test('numbers of generated rules are compared with the fewest', async () => {
    const condition = (rulesPerService: number, rate: number) => ({
      rules: { path: '../rules/one.yaml', count: 1 + rulesPerService },
      others: { rulesPerService },
      rates: four(rate),
    });
    const report = await reportOf([condition(0, 10), condition(5, 8), condition(10, 6)]);
    const pairs = governancePairs(transferCells(report));
    expect(
      pairs.map(({ baseline, candidate }) => [baseline, candidate].map((one) => one.levels.rulesPerService)),
    ).toEqual([
      [0, 5],
      [0, 10],
    ]);
    expect(pairs.map(({ estimate }) => Number(estimate.toFixed(9)))).toEqual([0.8, 0.6]);
  });

  test('rules are compared with the fewest rules; their cost is the lost share of rows per second', async () => {
    const report = await reportOf([
      { rules: { path: '../rules/none.yaml', count: 0 }, rates: four(10) },
      { rules: { path: '../rules/two.yaml', count: 2 }, rates: four(8) },
      { rules: { path: '../rules/one.yaml', count: 1 }, rates: four(9) },
      { operation: 'put', rules: { path: '../rules/two.yaml', count: 2 }, rates: four(5) },
    ]);
    const pairs = governancePairs(transferCells(report));
    expect(pairs.map(({ baseline, candidate }) => [baseline.levels.rules, candidate.levels.rules])).toEqual([
      ['none', 'two'],
      ['none', 'one'],
    ]);
    const [two] = pairs;
    expect(two?.estimate).toBeCloseTo(0.8);
    const [sentence] = transferSentences(report).filter((text) => text.startsWith('No cost of the rules two'));
    // 1 − 0.8 · 1.3 and 1 − 0.8 / 1.3: no cost at all is within.
    expect(sentence).toBe(
      'No cost of the rules two was shown: 20.0% of the throughput in rows against the rules none (95% interval −4.0% to 38.5%; get, 1 stream of 1,000 rows).',
    );
    const table = transferTables(report).find(({ id }) => id === 'governance');
    // 81% of a core: 0.81 s of CPU time for 9.2 (11.5) million rows.
    expect(table?.rows[0]?.slice(-4)).toEqual(['88.04 (70.43)', '1,000', '1,000 redact', '64.00 MB personal']);
  });

  test('six rounds or more are compared round by round, so that what drifts alike does not widen the interval', async () => {
    const drifting = (factor: number): number[] => [1, 2, 3, 4, 5, 6].map((round) => factor * round);
    const report = await reportOf([
      { protocol: 'flight', rates: drifting(8) },
      { protocol: 'json', rates: drifting(2) },
    ]);
    const [pair] = protocolPairs(transferCells(report));
    expect([pair?.estimate, ...(pair?.interval ?? [])].map((value) => value?.toFixed(9))).toEqual([
      '4.000000000',
      '4.000000000',
      '4.000000000',
    ]);
  });

  test('a limit of the generator is reported with every ratio that it affects', async () => {
    const report = await reportOf([
      { protocol: 'flight', rates: [20], flags: ['generator-limited'] },
      { protocol: 'ndjson', rates: [2] },
    ]);
    expect(transferSentences(report).find((text) => text.startsWith('Flight moved'))).toMatch(
      /1,000 rows; the generator was the limit, which hides differences of the service\)\.$/,
    );
  });

  test('too few repetitions give a ratio, no interval, and how many would give one', async () => {
    const report = await reportOf([
      { protocol: 'flight', rates: [20] },
      { protocol: 'ndjson', rates: [2] },
    ]);
    expect(transferSentences(report).slice(1)).toEqual([
      'No limit was seen (the service used 81%, the generator 72%, the host was idle for 12%; 100% is one core).',
      'One repetition decides nothing: 4 valid ones of both cells could.',
      'Flight moved 10.0 times as many rows per second as NDJSON (interval unknown; get, 1 stream of 1,000 rows).',
    ]);
  });
});

describe('repetitions that are needed', () => {
  const flight = { protocol: 'flight', rates: [20, 21, 22] };
  const further = '(about 60 s more: topo-bench run --resume runs/one --repetitions 4)';

  test('have their time and the command that adds them, once', async () => {
    const report = withTimedRounds(await reportOf([flight, { protocol: 'ndjson', rates: [2, 2, 2] }]), 60);
    const sentences = transferSentences(report).filter((text) => text.includes('--repetitions'));
    expect(sentences).toEqual([`3 repetitions decide nothing: 4 valid ones of both cells could ${further}.`]);
  });
});

describe('the first sentence', () => {
  const first = async (conditions: readonly TransferCondition[]): Promise<string | undefined> =>
    transferSentences(await reportOf(conditions))[0];

  // A rate of 20 is 20 million rows of 32 bytes: 640 MB/s.
  test('names the fastest transfer, with its range, where every other one is slower beyond doubt', async () => {
    expect(await first([{ rates: [20, 24, 22, 26] }, { operation: 'put', rates: [10, 11, 12, 13] }])).toBe(
      'The fastest transfer, Flight, get, 1 stream of 1,000 rows, moved 736 MB/s (median of 4 repetitions, 640 to 832): 2.00× [1.54, 2.60] the throughput of Flight, put, 1 stream of 1,000 rows.',
    );
  });

  test('names none where repetitions overlap, however far the medians are apart', async () => {
    const wide = [17.25, 57.69, 57.7, 83.78, 83.79];
    const flags = ['host-saturated'];
    expect(
      await first([
        { rates: wide, flags },
        { operation: 'put', rates: [20, 21, 22, 23, 24] },
        { streams: 4, rates: [1, 1.1, 1.2, 1.3, 1.4] },
      ]),
    ).toBe(
      'Flight, get, 1 stream of 1,000 rows had the highest median, 1,846 MB/s (median of 5 repetitions, 552 to 2,681; 5 flagged host-saturated); the repetitions do not tell it from one other transfer.',
    );
  });

  test('names none after one repetition each', async () => {
    expect(await first([{ rates: [20] }, { operation: 'put', rates: [1] }])).toBe(
      'Flight, get, 1 stream of 1,000 rows had the highest median, 640 MB/s (one repetition); the repetitions do not tell it from any other transfer.',
    );
  });

  test('compares nothing where there is one transfer', async () => {
    expect(await first([{ rates: [20, 22] }])).toBe(
      'Flight, get, 1 stream of 1,000 rows moved 672 MB/s (median of 2 repetitions, 640 to 704).',
    );
  });
});

const sentenceWith = (report: Report, text: string): string =>
  transferSentences(report).find((sentence) => sentence.includes(text)) ?? '';

test('the limit of the fastest transfer is the one that its flags name, with what was used', async () => {
  const limited = await reportOf([
    { rates: four(20), flags: ['host-saturated', 'generator-limited'] },
    { operation: 'put', rates: four(10), flags: [] },
  ]);
  expect(transferSentences(limited)[1]).toBe(
    'Its limit: the host, which had no idle processor left; the generator, which was busy all the time (the service used 81%, the generator 72%, the host was idle for 12%; 100% is one core).',
  );
});

test('the effect of more streams is one sentence, with the interval of the ratio', async () => {
  const report = await reportOf([
    { streams: 1, rates: four(10) },
    { streams: 2, rates: four(15) },
    { streams: 4, rates: four(20) },
  ]);
  // From the smallest of the 16 ratios to the largest: 2 / 1.3 and 2 · 1.3.
  expect(sentenceWith(report, 'streams moved')).toBe('Flight get, 4 streams moved 2.00× [1.54, 2.60] as much as 1.');
});

test('three sentences of one pattern become one, with the range of what was shown', async () => {
  const rates: [operation: string, streams: number, json: number][] = [
    ['get', 1, 2],
    ['get', 4, 4],
    ['put', 1, 19],
  ];
  const report = await reportOf(
    rates.flatMap(([operation, streams, json]) => [
      { operation, streams, rates: four(20) },
      { operation, streams, protocol: 'json', rates: four(json) },
    ]),
  );
  const sentences = transferSentences(report).filter((text) => text.includes('as JSON'));
  // 20 / 4 / 1.3 and 20 / 2 · 1.3; the third ratio is 1.05, and its interval holds 1.
  expect(sentences).toEqual([
    'Flight moved 5.00 to 10.0 times as many rows per second as JSON in 2 of 3 settings (95% intervals within 3.85 to 13.0); in 1 no difference was shown.',
  ]);
});

test('a ratio whose interval contains 1 is no difference', async () => {
  const report = await reportOf([
    { protocol: 'flight', rates: [10, 12, 14, 16] },
    { protocol: 'arrow', rates: [9, 11, 13, 15] },
  ]);
  expect(sentenceWith(report, 'between Flight')).toMatch(
    /^No difference between Flight and Arrow over HTTP was shown: 1\.\d\d times as many rows per second \(95% interval 0\.\d\d to 1\.\d\d; /,
  );
  const tls = await reportOf([
    { others: { tls: false }, rates: [10, 12, 14, 16] },
    { others: { tls: true }, rates: [9, 11, 13, 15] },
  ]);
  expect(sentenceWith(tls, 'TLS')).toMatch(
    /^No cost of TLS was shown: \d\.\d% of the throughput \(95% interval −[\d.]+% to [\d.]+%; /,
  );
});

const transfers: TransferCondition[] = ['get', 'put'].flatMap((operation) =>
  [1, 4, 16].flatMap((streams) =>
    [1000, 9000].map((rows) => ({
      operation,
      streams,
      rows,
      // Repetition 2 is the median of three.
      rates: [1, 2, 3].map((repetition) => (operation === 'get' ? 20 : 10) * streams * repetition),
      flags: operation === 'get' ? ['generator-limited'] : [],
    })),
  ),
);

test('throughput has a column per number of streams, next to the published figure for that number', async () => {
  const report = await reportOf(transfers);
  const published = await readPublishedThroughputs(study);
  const tables = new Map(transferTables(report, published).map((table) => [table.id, table]));
  expect(tables.get('throughput')?.columns.map(({ heading }) => heading)).toEqual([
    'protocol',
    'operation',
    'rows per stream',
    '1 stream',
    '4',
    '16',
  ]);
  // 20 million rows of 32 bytes, twice as many in the second repetition: 1280 MB/s with one stream.
  expect(tables.get('throughput')?.rows[0]).toEqual(['Flight', 'get', '1,000', '1280', '5120', '20480']);
  // Next to each median the range that it stands on.
  const byCell = tables.get('by-cell');
  const range = byCell?.columns.findIndex(({ heading }) => heading === 'range') ?? Number.NaN;
  expect(byCell?.rows[0]?.slice(range - 1, range + 1)).toEqual(['1280', '640.0 to 1920']);
  expect(tables.get('published')?.rows.slice(0, 3)).toEqual([
    ['either', '1', 'loopback', '1000', '640.0 to 1280'],
    ['either', '16', 'loopback', '10000', '10240 to 20480'],
    ['get', 'any', 'abstract', '6000', '1280 to 20480'],
  ]);
  expect(tables.get('resources')?.rows[0]?.slice(-6)).toEqual([
    '81.00',
    '120.0',
    '72.00',
    '140.0',
    '12.00',
    'generator-limited',
  ]);
});

test('page, Markdown, terminal and CSV have them, and nothing of round-trip times or clients', async () => {
  const report = await reportOf(transfers, study);
  const page = renderPage(report, '');
  const terminal = summaryTable(report, { columns: 120, colours: false });
  for (const text of [page, renderMarkdown(report), terminal]) {
    expect(text).toContain('20480');
    expect(text).toContain('generator-limited');
    expect(text).not.toMatch(/round-trip times|NaN|undefined/);
  }
  expect(transferSentences(report)[0]).toBe(
    'Flight, get, 16 streams of 1,000 rows had the highest median, 20,480 MB/s (median of 3 repetitions, 10,240 to 30,720; 3 flagged generator-limited); the repetitions do not tell it from any other transfer.',
  );
  expect(terminal.replaceAll('\n', ' ')).toContain('20,480 MB/s (median of 3 repetitions, 10,240 to 30,720;');
  expect(page).toContain('20,480\u00a0MB/s (median of 3 repetitions, 10,240 to 30,720;');
  // A panel for each operation, a line for each number of rows.
  const throughput = /<section id="throughput".*?<\/section>/s.exec(page)?.[0];
  expect(throughput?.match(/<figure class="plot">/g)).toHaveLength(2);
  expect(throughput?.match(/<polyline/g)).toHaveLength(4);
  const [header, first] = parseCsv(cellsCsv(report)) as [string[], string[]];
  expect(first[header.indexOf('megabytesPerSecond')]).toBe('1280');
  const [names, ...rows] = parseCsv(repetitionsCsv(report)) as [string[], ...string[][]];
  expect(rows.slice(0, 3).map((row) => row[names.indexOf('rowsPerSecond')])).toEqual([
    '20000000',
    '40000000',
    '60000000',
  ]);
});

test('the streams that a service bears are a sentence, a chart and a table, by the time of a stream', async () => {
  const noise = [1, 1.04, 0.97, 1.02];
  const rates = (rate: number): number[] => noise.map((one) => rate * one);
  // Two streams share nothing: each takes as long as one alone. Eight share the throughput of two.
  const report = await reportOf([
    { streams: 1, rates: rates(10) },
    { streams: 2, rates: rates(20) },
    { streams: 8, rates: rates(20) },
  ]);
  const [page, text] = [renderPage(report, ''), summaryTable(report, { columns: 400, colours: false })];
  // The page keeps numbers and their units on one line.
  for (const form of [page.replaceAll('\u00a0', ' '), text])
    expect(form).toMatch(
      / bears 2 streams; at 8 streams no limit was found, and the median is 4\.\d+× \[.+\] that at 2/,
    );
  expect(text).toMatch(/^Transfer time over streams, in ms$/m);
  const label = /aria-label="Median transfer time over streams: [^"]*/.exec(page)?.[0];
  // 1,000 rows at ten million a second.
  expect(label).toMatch(/1: 0\.\d+ ms, 2: 0\.\d+ ms, 8: 0\.\d+ ms/);
  expect(page.match(/text-anchor="middle" fill="var\(--c\)">knee</g)).toHaveLength(2);
});
