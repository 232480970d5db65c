/**
 * How fast columns travel over Arrow Flight: our server and client, those of pyarrow (the C++ implementation), and each with the other,
 * with plain TCP of Node.js as the limit. All take turns within every round, so that drift of the machine hits all alike.
 *
 * Usage: npm run bench:flight [-- [--quick] [--verb DoGet|DoPut] [--rows ROWS] [--no-memory]]; with ROWS only messages of so many rows, one stream
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from '@topo-bench/stats/quantile';
import { pairedRatio } from '@topo-bench/stats/ratio';
import { type Job, rowBytes } from './job.ts';
import { peakAboveIdle } from './peak-memory.ts';
import { type Peer, pyarrowVersion, startOurClient, startOurServer, startPyarrow } from './peers/peer.ts';

interface Cell {
  verb: 'DoGet' | 'DoPut';
  streams: number;
  rows: number;
}

interface Pairing {
  name: string;
  run: (cell: Cell, messages: number) => Promise<number>;
}

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, verb: { type: 'string' }, rows: { type: 'string' }, 'no-memory': { type: 'boolean' } },
});
const isQuick = flags.quick === true;
const verbs = (['DoGet', 'DoPut'] as const).filter((verb) => flags.verb === undefined || flags.verb === verb);
/** Six are the fewest that bound an interval at 95% (signed ranks). */
const rounds = isQuick ? 7 : 9;
/** Rows of 32 bytes: messages of 1 KB, 32 KB, 1 MB, 3.2 MB (the usual batch of 100 000 rows), 16 MB and 64 MB. */
const onlyRows = flags.rows === undefined ? undefined : Number(flags.rows);
const sizes = onlyRows ? [onlyRows] : isQuick ? [1024, 100_000] : [32, 1024, 32_768, 100_000, 524_288, 2_097_152];
const streamCounts = onlyRows ? [] : isQuick ? [1, 4] : [1, 2, 4, 8, 16];
const usualRows = 100_000;
const bytesPerRun = isQuick ? 200e6 : 300e6;

const cells: Cell[] = verbs.flatMap((verb) => [
  ...sizes.map((rows) => ({ verb, streams: 1, rows })),
  ...streamCounts.filter((streams) => streams > 1).map((streams) => ({ verb, streams, rows: usualRows })),
]);

/** Small messages cost per message, not per byte: fewer bytes show it. */
function messagesOf({ rows, streams }: Cell): number {
  const bytes = Math.min(bytesPerRun, 20_000 * rows * rowBytes);
  return Math.max(2, Math.round(bytes / (rows * rowBytes * streams)));
}

const version = pyarrowVersion();
const peers: Peer[] = [];
const started = (peer: Peer): Peer => {
  peers.push(peer);
  return peer;
};

async function preparePairings(): Promise<Pairing[]> {
  const ourServer = await started(startOurServer()).read<{ location: string; tcp: string }>();
  const ourClient = started(startOurClient());
  const pairing = (
    name: string,
    client: Peer,
    location: string,
    verbOf = (verb: Cell['verb']): Job['verb'] => verb,
  ): Pairing => ({
    name,
    run: async ({ verb, streams, rows }, messages) => {
      const { seconds } = await client.run({ verb: verbOf(verb), location, streams, rows, messages });
      return (rows * rowBytes * messages * streams) / seconds / 1e9;
    },
  });
  const tcp = pairing('TCP', ourClient, ourServer.tcp, (verb) => (verb === 'DoGet' ? 'tcp-get' : 'tcp-put'));
  const ours = pairing('ours↔ours', ourClient, ourServer.location);
  if (!version) return [ours, tcp];
  const theirServer = await started(startPyarrow('server')).read<{ location: string }>();
  const theirClient = started(startPyarrow('client'));
  return [
    pairing('pyarrow↔pyarrow', theirClient, theirServer.location),
    ours,
    pairing('pyarrow → our server', theirClient, ourServer.location),
    pairing('our client → pyarrow', ourClient, theirServer.location),
    tcp,
  ];
}

/** @returns GB/s per pairing and round */
async function measure(pairings: readonly Pairing[], cell: Cell): Promise<number[][]> {
  const messages = messagesOf(cell);
  const rates: number[][] = pairings.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < pairings.length; turn++) {
      // Every pairing follows every other one; the first round warms up.
      const p = (turn * (round % 2 === 0 ? 1 : pairings.length - 1) + round + 1) % pairings.length;
      const rate = await (pairings[p] as Pairing).run(cell, messages);
      if (round >= 0) rates[p]?.push(rate);
    }
  }
  return rates;
}

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1024).toPrecision(3)} KiB` : `${(bytes / 1e6).toPrecision(3)} MB`;

/** Ratio of paired rounds with its 95% interval. */
function ratioText(rates: readonly number[], reference: readonly number[]): string {
  const { estimate, interval } = pairedRatio(reference, rates, 0.05);
  return `${estimate.toFixed(2)} [${interval.map((end) => end.toFixed(2)).join(', ')}]`;
}

/** One long stream in messages of 3.2 MB: memory must not grow with it. Server and client are new, so that idle is idle. */
async function showMemory(): Promise<void> {
  const bytes = isQuick ? 1e9 : 4e9;
  const server = started(startOurServer());
  const { location } = await server.read<{ location: string }>();
  const client = started(startOurClient());
  const job = { location, streams: 1, rows: usualRows };
  for (const verb of ['DoGet', 'DoPut'] as const) await client.run({ ...job, verb, messages: 10 });
  console.log('');
  for (const verb of ['DoGet', 'DoPut'] as const) {
    const messages = Math.ceil(bytes / (usualRows * rowBytes));
    const [ofServer = 0, ofClient = 0] = await peakAboveIdle([server.pid, client.pid], () =>
      client.run({ ...job, verb, messages }),
    );
    console.log(
      `Memory over a ${verb} of ${bytes / 1e9} GB, above idle: server ${ofServer.toFixed(0)} MB, client ${ofClient.toFixed(0)} MB.`,
    );
  }
}

console.log(
  version
    ? `pyarrow ${version}, Node.js ${process.version}, ${cpus().length} cores; ${rounds} rounds in turn`
    : `pyarrow is not here (set TOPO_BENCH_PYTHON to a Python that has it): ours alone. Node.js ${process.version}, ${rounds} rounds`,
);
const pairings = await preparePairings();
try {
  console.log(
    `\n| verb | streams | message | ${pairings.map(({ name }) => `${name} GB/s`).join(' | ')} |${version ? ' ours/pyarrow | pyarrow client on our server |' : ''}`,
  );
  console.log(`|---${'|---:'.repeat(2 + pairings.length + (version ? 2 : 0))}|`);
  for (const cell of cells) {
    const rates = await measure(pairings, cell);
    const columns = [cell.verb, cell.streams, sizeText(cell.rows * rowBytes), ...rates.map((of) => median(of).toFixed(2))];
    if (version)
      columns.push(ratioText(rates[1] as number[], rates[0] as number[]), ratioText(rates[2] as number[], rates[0] as number[]));
    console.log(`| ${columns.join(' | ')} |`);
  }
  if (!flags['no-memory']) await showMemory();
  console.log(
    '\nRates are medians. Ratios are to pyarrow↔pyarrow in the same round, with 95% intervals (signed ranks). TCP is what Node.js moves without any protocol.',
  );
} finally {
  for (const peer of peers) peer.stop();
}
