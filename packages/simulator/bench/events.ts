/**
 * Events per second of the full model, next to a bare M/M/1 on the same calendar and to one in SimPy. All contenders
 * take turns, in processor time, and ratios have the interval of their rounds.
 *
 * `npm run bench:simulator -- [--json] [--rounds 7] [--requests 10000] [--python python3]`
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Estimate, median, pairedRatio } from '@topo-bench/stats';
import { graphOf } from '@topo-bench/topology';
import { busyModel, hostWith } from '../test/fixtures/free-model.ts';
import { replicationsOf } from '../test/fixtures/replications.ts';
import { simpleQueue } from './simple-queue.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '10000' },
    python: { type: 'string', default: 'python3' },
  },
});
const rounds = Number(flags.rounds);
const requests = Number(flags.requests);
const utilisation = 0.7;
const customers = 300_000;
const customersOfSimPy = 30_000;

/** Sidecars before six services on two cores, half busy, with every part of the model. */
const services = Array.from({ length: 6 }, (_, i) => `s${i}`);
const graph = graphOf({
  ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'bench', nodes: [{ name: 'a', region: 'eu' }] },
  ...{ services: services.map((name) => ({ name })), flow: services, enforcement: { architecture: 'sidecar' } },
});
const rateRps = 150;
const load = { rateRps, seconds: requests / rateRps, model: busyModel, cluster: hostWith(2, 1) };
const { replicate } = await replicationsOf(graph, load);

function cpuUs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** µs of processor time per event; of SimPy per customer. */
function fullModel(round: number): number {
  let events = 0;
  const us = cpuUs(() => {
    events = replicate(round).events;
  });
  return us / events;
}

function bareQueue(round: number): { usPerEvent: number; usPerCustomer: number } {
  let events = 0;
  const us = cpuUs(() => {
    events = simpleQueue(customers, utilisation, round).events;
  });
  return { usPerEvent: us / events, usPerCustomer: us / customers };
}

function simPy(): { usPerCustomer: number; version: string } | undefined {
  const script = fileURLToPath(new URL('simple-queue.py', import.meta.url));
  const { status, stdout } = spawnSync(flags.python, [script, String(customersOfSimPy), String(utilisation)]);
  return status === 0 ? JSON.parse(String(stdout)) : undefined;
}

// Compiled code for both, before the first round.
fullModel(1);
bareQueue(1);
const times = { full: [] as number[], bare: [] as number[], bareCustomer: [] as number[], simPy: [] as number[] };
let version: string | undefined;
for (let round = 1; round <= rounds; round++) {
  times.full.push(fullModel(round));
  const bare = bareQueue(round);
  times.bare.push(bare.usPerEvent);
  times.bareCustomer.push(bare.usPerCustomer);
  const other = round === 1 || version !== undefined ? simPy() : undefined;
  if (other) times.simPy.push(other.usPerCustomer);
  version = other?.version;
}

const alpha = 0.05;
const result = {
  fullModelEventsPerSecond: 1e6 / median(times.full),
  bareEventsPerSecond: 1e6 / median(times.bare),
  bareToFull: pairedRatio(times.full, times.bare, alpha),
  bareCustomersPerSecond: 1e6 / median(times.bareCustomer),
  ...(version !== undefined && {
    simPy: { version, customersPerSecond: 1e6 / median(times.simPy) },
    bareToSimPy: pairedRatio(times.simPy, times.bareCustomer, alpha),
  }),
};

function millions(perSecond: number): string {
  return `${(perSecond / 1e6).toFixed(2)} M/s`;
}

function ratioText({ estimate, interval: [low, high] }: Estimate): string {
  return `${estimate.toPrecision(3)} [${low.toPrecision(3)}, ${high.toPrecision(3)}]`;
}

if (flags.json) console.log(JSON.stringify(result));
else {
  console.log(`full model, sidecars before six services: ${millions(result.fullModelEventsPerSecond)} events`);
  console.log(`bare M/M/1 on the same calendar:          ${millions(result.bareEventsPerSecond)} events`);
  console.log(`time of an event, bare ÷ full model:      ${ratioText(result.bareToFull)}`);
  console.log(`M/M/1, customers on this calendar:        ${millions(result.bareCustomersPerSecond)}`);
  if (result.simPy && result.bareToSimPy) {
    console.log(
      `M/M/1, customers in SimPy ${result.simPy.version}:        ${millions(result.simPy.customersPerSecond)}`,
    );
    console.log(`time of a customer, this ÷ SimPy:         ${ratioText(result.bareToSimPy)}`);
  } else console.log('SimPy: not installed for this Python (pip install simpy; --python PATH)');
}
