/** The checks of `doctor`, in the order of its output. */
import { formatBytes } from '@topo-bench/core';
import { maxOpenFiles, readProcessStat, usableCores, usableMemoryBytes } from '@topo-bench/host';
import { studyChecks } from '@topo-bench/studies/machine-checks';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { countsOf, findLeftovers, removalCommand } from '../../leftovers.ts';
import type { EngineFlags } from '../../runner-option.ts';
import type { DoctorFlags } from './options.ts';
import { privilegeCheck } from './privilege-check.ts';
import { runnerChecks } from './runner-checks.ts';
import { storeChecks } from './store-checks.ts';

const wanted = { cores: 2, memoryBytes: 2 * 1024 ** 3, openFiles: 4096 };

export async function checkMachine({
  networkPolicies = false,
  ...engine
}: Omit<DoctorFlags, 'json'>): Promise<MachineCheck[]> {
  return [
    { name: 'node', status: 'ok', found: process.version, effect: 'runs every verb' },
    ownServices,
    cores(),
    memory(),
    openFiles(),
    await privilegeCheck(),
    procfs(),
    ...(await runnerChecks(engine, networkPolicies)),
    ...(await leftoverChecks(engine)),
    ...(await storeChecks()),
    ...(await studyChecks()),
  ];
}

/** Not a property of the machine: a reminder for users with their own services. */
const ownServices: MachineCheck = {
  name: 'own-services',
  status: 'ok',
  found: '`command` and `url`',
  effect:
    'a command must compare the header x-topo-token of each call with its variable TOPO_BENCH_TOKEN, ' +
    'and answer 401 to calls that bypass enforcement',
};

function cores(): MachineCheck {
  const found = usableCores();
  return found >= wanted.cores
    ? { name: 'cores', status: 'ok', found: String(found), effect: 'generator and services can run in parallel' }
    : {
        name: 'cores',
        status: 'limited',
        found: String(found),
        effect: 'the load generator competes with the services: expect host-saturated repetitions',
      };
}

function memory(): MachineCheck {
  const bytes = usableMemoryBytes();
  const processes = Math.floor((bytes * 0.7) / (60 * 1024 ** 2));
  return {
    name: 'memory',
    status: bytes >= wanted.memoryBytes ? 'ok' : 'limited',
    found: formatBytes(bytes),
    effect: `room for about ${processes} processes of a local run`,
  };
}

function openFiles(): MachineCheck {
  const name = 'open-files';
  const limit = maxOpenFiles();
  if (limit === undefined)
    return { name, status: 'optional', found: 'unknown', effect: 'high rates need many sockets' };
  const found = limit === Number.POSITIVE_INFINITY ? 'unlimited' : String(limit);
  if (limit >= wanted.openFiles) {
    return { name, status: 'ok', found, effect: 'enough sockets for high rates' };
  }
  const effect = `requests beyond about ${Math.floor(limit / 2)} in flight fail`;
  return { name, status: 'limited', found, effect, remedy: `ulimit -n ${wanted.openFiles}` };
}

function procfs(): MachineCheck {
  const name = '/proc';
  return readProcessStat('self')
    ? { name, status: 'ok', found: 'readable', effect: 'CPU of the host and memory of processes are measured' }
    : { name, status: 'limited', found: 'not available', effect: 'host CPU and memory are reported as not available' };
}

/** No line on a machine without an engine or cluster. */
async function leftoverChecks(flags: EngineFlags): Promise<MachineCheck[]> {
  const found = (await findLeftovers(flags)).filter(({ problem }) => problem === undefined);
  if (found.length === 0) return [];
  const leftovers = found.flatMap((one) => one.leftovers);
  const name = 'leftovers';
  if (leftovers.length === 0) return [{ name, status: 'ok', found: 'none', effect: 'killed runs left nothing behind' }];
  const effect = 'killed runs left them, and they use the processors and memory of later runs';
  return [{ name, status: 'limited', found: countsOf(leftovers), effect, remedy: removalCommand(flags) }];
}
