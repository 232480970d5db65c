/**
 * How far crossings of a simulated link are from what the topology states: by rate and delay, timed from outside the
 * process that delays them, with the processor time that a crossing costs.
 *
 * `npm run bench:links -- [--json] [--delays 2ms,20ms,100ms] [--rates 50,200,800] [--seconds 5]`
 */
import { parseArgs } from 'node:util';
import { parseDurationUs } from '@topo-bench/core';
import { median, quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { bundleEntry, RoleProcess } from '../../test/role-process.ts';
import { type LinkedService, startLinkedService } from './crossings.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    delays: { type: 'string', default: '2ms,20ms,100ms' },
    rates: { type: 'string', default: '50,200,800' },
    seconds: { type: 'string', default: '5' },
  },
});

interface Row {
  delay: string;
  perSecond: number;
  crossings: number;
  /** Quantile of the whole time outside minus the stated delay: below 0, a crossing was too short. */
  shortestBeyondUs: number;
  /** Beyond the delay and the median time of a call that crosses no link. */
  medianExcessUs: number;
  p99ExcessUs: number;
  /** Beyond that of a call that crosses no link. */
  cpuUsPerCrossing: number;
}

async function measure(service: LinkedService, delay: string, perSecond: number): Promise<Row> {
  const seconds = Number(flags.seconds);
  const without = await service.measure({ linked: false, perSecond, seconds });
  const { elapsedUs, cpuUs } = await service.measure({ linked: true, perSecond, seconds });
  const beyondUs = sortedCopy(elapsedUs.map((us) => us - parseDurationUs(delay)));
  const ownUs = median(without.elapsedUs);
  return {
    delay,
    perSecond,
    crossings: beyondUs.length,
    shortestBeyondUs: beyondUs[0] as number,
    medianExcessUs: quantileOfSorted(beyondUs, 0.5) - ownUs,
    p99ExcessUs: quantileOfSorted(beyondUs, 0.99) - ownUs,
    cpuUsPerCrossing: cpuUs - without.cpuUs,
  };
}

function line({ delay, perSecond, ...figures }: Row): string {
  const texts = [delay, `${perSecond}/s`, ...Object.values(figures).map((value) => value.toFixed(0))];
  return texts.map((text, i) => text.padStart(widths[i] as number)).join(' ');
}

const heads = ['delay', 'rate', 'crossings', 'shortest beyond', 'median excess', 'p99 excess', 'CPU per crossing'];
const widths = heads.map((head) => head.length + 2);

const bundle = await bundleEntry();
try {
  const rows: Row[] = [];
  if (!flags.json) console.log(`${heads.map((head, i) => head.padStart(widths[i] as number)).join(' ')}   (µs)`);
  for (const delay of flags.delays.split(',')) {
    const role = new RoleProcess(bundle.file);
    try {
      const service = await startLinkedService(role, delay);
      // A cold process answers its first calls slowly, with a link and without.
      await service.measure({ linked: true, perSecond: 400, seconds: 2 });
      for (const rate of flags.rates.split(',')) {
        const row = await measure(service, delay, Number(rate));
        rows.push(row);
        if (!flags.json) console.log(line(row));
      }
    } finally {
      role.child.kill('SIGKILL');
      await role.exit;
    }
  }
  if (flags.json) console.log(JSON.stringify(rows));
  if (rows.some(({ shortestBeyondUs }) => shortestBeyondUs < 0)) process.exitCode = 1;
} finally {
  await bundle.remove();
}
