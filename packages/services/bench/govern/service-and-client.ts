/** The two processes of the bench of governance, and the turns in which all cases pass through them. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { balancedOrders, balancedRounds } from '../../../stats/test/fixtures/balanced-orders.ts';
import type { TableSize } from './cases.ts';
import type { ReadOrder, ReadResult } from './client.ts';

export interface Measured extends ReadResult {
  /** CPU time of the service, in µs. */
  serviceCpuUs: number;
}

/** Rounds that warm up, for every case alike. */
export const warmUpRounds = 2;

export class ServiceAndClient {
  private constructor(
    private readonly service: ChildProcess,
    private readonly client: ChildProcess,
    private readonly addresses: { location: string; url: string },
  ) {}

  /** @returns when the service has made its tables */
  static async start(size: TableSize): Promise<ServiceAndClient> {
    const service = start('service', JSON.stringify(size));
    const addresses = await next<{ location: string; url: string }>(service);
    return new ServiceAndClient(service, start('client'), addresses);
  }

  /** Reads a case once. */
  async measure(protocol: ReadOrder['protocol'], number: number): Promise<Measured> {
    const { location, url } = this.addresses;
    const before = await ask<NodeJS.CpuUsage>(this.service, {});
    const order: ReadOrder = { protocol, address: protocol === 'flight' ? location : url, number };
    const result = await ask<ReadResult>(this.client, order);
    const after = await ask<NodeJS.CpuUsage>(this.service, {});
    return { ...result, serviceCpuUs: after.user + after.system - before.user - before.system };
  }

  stop(): void {
    this.client.disconnect();
    this.service.disconnect();
  }
}

/**
 * Every round has each case once, in balanced orders.
 * @param numbers of the cases
 * @param rounds that count, rounded up so that each order is used equally often
 * @returns what counts, by number of the case and round
 */
export async function measureInTurns<Result>(
  numbers: readonly number[],
  rounds: number,
  measure: (number: number) => Promise<Result>,
): Promise<Map<number, Result[]>> {
  const orders = balancedOrders(numbers.length);
  const counted = balancedRounds(rounds, orders);
  const results = new Map(numbers.map((number) => [number, [] as Result[]]));
  for (let round = -warmUpRounds; round < counted; round++) {
    for (const turn of orders.at(round % orders.length) ?? []) {
      const number = numbers[turn] as number;
      const result = await measure(number);
      if (round >= 0) results.get(number)?.push(result);
    }
  }
  return results;
}

function start(script: string, ...args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(`${script}.ts`, import.meta.url));
  // A CPU profile or a trace of garbage collections is of all three processes.
  const observed = process.execArgv.filter((arg) => /^--(cpu-prof|trace-gc)/.test(arg));
  return fork(path, args, { execArgv: ['--import', 'tsx', ...observed] });
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the bench ended'));
    child.once('exit', ended).once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = next<T>(child);
  child.send(message);
  return answer;
}
