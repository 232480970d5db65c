/**
 * How fast columns travel over Arrow Flight: our server and client, those of pyarrow (the C++ implementation), and
 * each with the other, with plain TCP of Node.js as the limit. All take turns within every round, so that drift of
 * the machine affects all alike; all are warmed by the very calls that are then timed, and a transfer in which a side
 * did something else is an error.
 * On a busy machine compare CPU per GB: the C++ pair has a thread for each call, and the system shares cores by thread.
 *
 * Usage: npm run bench:flight [-- [--quick] [--verb DoGet|DoPut] [--rows ROWS,…] [--streams STREAMS,…]
 * [--rounds ROUNDS] [--no-memory]]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { medianInterval } from '@topo-bench/comparison';
import { median, pairedRatio } from '@topo-bench/stats';
import { rowBytes } from './job.ts';
import { type Cell, type Pairing, Pairings } from './pairings.ts';
import { peakAboveIdle } from './peak-memory.ts';
import { pyarrowVersion, startOurClient, startOurServer } from './peers/peer.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    verb: { type: 'string' },
    rows: { type: 'string' },
    streams: { type: 'string' },
    rounds: { type: 'string' },
    'no-memory': { type: 'boolean' },
  },
});
const isQuick = flags.quick === true;
const alpha = 0.05;
const verbs = (['DoGet', 'DoPut'] as const).filter((verb) => flags.verb === undefined || flags.verb === verb);
/** Fewer than six bound no interval at 95%. */
const rounds = flags.rounds ? Number(flags.rounds) : isQuick ? 7 : 9;
const usualRows = 100_000;
/** Rows of 32 bytes: messages of 1 KB, 32 KB, 1 MB, 3.2 MB (the usual batch of 100 000 rows), 16 MB and 64 MB. */
const sizes = flags.rows
  ? flags.rows.split(',').map(Number)
  : isQuick
    ? [1024, usualRows]
    : [32, 1024, 32_768, usualRows, 524_288, 2_097_152];
const streamCounts = flags.streams ? flags.streams.split(',').map(Number) : isQuick ? [1, 4, 16] : [1, 2, 4, 8, 16];
const bytesPerRun = isQuick ? 200e6 : 300e6;
const cells: Cell[] = verbs.flatMap((verb) =>
  sizes.flatMap((rows) => streamCounts.map((streams) => ({ verb, streams, rows }))),
);

interface Rate {
  gigabytesPerSecond: number;
  /** Figures of both sides. */
  cpuSecondsPerGigabyte: number;
}

/** Small messages cost per message, not per byte: fewer bytes show it. */
function messagesOf({ rows, streams }: Cell): number {
  const bytes = Math.min(bytesPerRun, 20_000 * rows * rowBytes);
  return Math.max(2, Math.round(bytes / (rows * rowBytes * streams)));
}

/** @returns per pairing, of every round */
async function measure(pairings: readonly Pairing[], cell: Cell): Promise<Rate[][]> {
  const rates: Rate[][] = pairings.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < pairings.length; turn++) {
      // Every pairing follows every other one; the first round warms up.
      const p = (turn * (round % 2 === 0 ? 1 : pairings.length - 1) + round + 1) % pairings.length;
      const { seconds, rows, timed } = await (pairings[p] as Pairing).run(cell, messagesOf(cell));
      const gigabytes = (rows * rowBytes) / 1e9;
      const cpuSeconds = timed.client.cpuSeconds + timed.server.cpuSeconds;
      const rate = { gigabytesPerSecond: gigabytes / seconds, cpuSecondsPerGigabyte: cpuSeconds / gigabytes };
      if (round >= 0) rates[p]?.push(rate);
    }
  }
  return rates;
}

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1024).toPrecision(3)} KiB` : `${(bytes / 1e6).toPrecision(3)} MB`;

const withInterval = (estimate: number, interval: readonly number[]): string =>
  `${estimate.toFixed(2)} [${interval.map((end) => (Number.isFinite(end) ? end.toFixed(2) : '?')).join(', ')}]`;

/** One line for each pairing. */
function linesOf(cell: Cell, pairings: readonly Pairing[], rates: readonly Rate[][]): string[] {
  const speedsOf = (p: number): number[] => (rates[p] as Rate[]).map(({ gigabytesPerSecond }) => gigabytesPerSecond);
  return pairings.map(({ name }, p) => {
    const speeds = speedsOf(p);
    const { estimate, interval } = pairedRatio(speedsOf(0), speeds, alpha);
    const cpu = median((rates[p] as Rate[]).map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte));
    const columns = [
      cell.verb,
      cell.streams,
      sizeText(cell.rows * rowBytes),
      name,
      withInterval(median(speeds), medianInterval(speeds, alpha)),
      p === 0 ? '' : withInterval(estimate, interval),
      cpu.toFixed(2),
    ];
    return `| ${columns.join(' | ')} |`;
  });
}

/** Pairings of our own that are faster than plain TCP beyond doubt: then TCP is no limit. */
function beyondPlainTcp(cell: Cell, pairings: readonly Pairing[], rates: readonly Rate[][]): string[] {
  const speeds = rates.map((ofPairing) => ofPairing.map(({ gigabytesPerSecond }) => gigabytesPerSecond));
  const limit = speeds[pairings.findIndex(({ isPlainTcp }) => isPlainTcp)] as number[];
  return pairings
    .filter(
      ({ name }, p) => name.startsWith('ours') && pairedRatio(limit, speeds[p] as number[], alpha).interval[0] > 1,
    )
    .map(({ name }) => `${name} (${cell.verb}, ${cell.streams} streams, ${sizeText(cell.rows * rowBytes)})`);
}

/**
 * One long stream in messages of 3.2 MB: memory must not grow with it. Server and client are new, so that idle is
 * idle.
 */
async function showMemory(): Promise<void> {
  const bytes = isQuick ? 1e9 : 4e9;
  const [server, client] = [startOurServer(), startOurClient()];
  try {
    const { location } = await server.read<{ location: string }>();
    const job = { locations: [location], streams: 1, rows: usualRows, taking: 'borrowed' } as const;
    for (const verb of ['DoGet', 'DoPut'] as const) await client.follow({ prepare: { ...job, verb, messages: 10 } });
    console.log('');
    for (const verb of ['DoGet', 'DoPut'] as const) {
      const messages = Math.ceil(bytes / (usualRows * rowBytes));
      const [ofServer = 0, ofClient = 0] = await peakAboveIdle([server.pid, client.pid], () =>
        client.follow({ prepare: { ...job, verb, messages } }),
      );
      console.log(
        `Memory over a ${verb} of ${bytes / 1e9} GB, above idle: server ${ofServer.toFixed(0)} MB, client ${ofClient.toFixed(0)} MB.`,
      );
    }
  } finally {
    await Promise.all([server.stop(), client.stop()]);
  }
}

const version = pyarrowVersion();
console.log(
  version
    ? `pyarrow ${version}, Node.js ${process.version}, ${cpus().length} cores; ${rounds} rounds in turn`
    : `pyarrow is not here (set TOPO_BENCH_PYTHON to a Python that has it): ours alone. Node.js ${process.version}, ${rounds} rounds`,
);
const pairings = await Pairings.start({ hasPyarrow: version !== undefined });
try {
  const [reference] = pairings.for('DoGet') as [Pairing];
  console.log(
    `\n| verb | streams | message | sides | GB/s | ratio to ${reference.name} | CPU s/GB |\n|---|---:|---:|---|---:|---:|---:|`,
  );
  const beyond: string[] = [];
  for (const cell of cells) {
    const own = pairings.for(cell.verb);
    const rates = await measure(own, cell);
    console.log(linesOf(cell, own, rates).join('\n'));
    beyond.push(...beyondPlainTcp(cell, own, rates));
  }
  if (beyond.length > 0) console.log(`\nFaster than plain TCP, which is no limit there: ${beyond.join('; ')}.`);
  if (!flags['no-memory']) await showMemory();
  console.log(
    [
      '\nSpeeds are medians with their 95% intervals (sign test); ratios are those of the same round, with 95% intervals (signed ranks).',
      'CPU is that of both sides. Batches are owned by their receiver, as with pyarrow, unless it says borrowed.',
    ].join('\n'),
  );
} finally {
  await pairings.stop();
}
