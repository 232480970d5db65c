/**
 * The sides of a comparison take turns, each in a process of its own: every round has each of them once, in balanced
 * orders. A side that returns another number of rows, or other columns, is an error.
 */
import { balancedOrders, balancedRounds } from '../../stats/test/fixtures/balanced-orders.ts';
import type { SourceTable } from '../src/index.ts';
import type { Side } from './comparisons.ts';
import { Reader, type ReadObserver } from './peers/reader.ts';

export interface Turn {
  side: Side;
  reader: Reader;
  /** Rows per second, by round. */
  rates: number[];
}

export interface Turns {
  turns: Turn[];
  /** Sides whose program is missing, with the reason. */
  left: { side: Side; reason: string }[];
  stop(): Promise<void>;
}

/** Starts a process for each side. */
export async function startTurns(sides: readonly Side[]): Promise<Turns> {
  const started: Turns = { turns: [], left: [], stop };
  async function stop(): Promise<void> {
    await Promise.all(started.turns.map(({ reader }) => reader.stop()));
  }
  try {
    await Promise.all(sides.map((side) => start(side, started)));
    const place = (turn: { side: Side }): number => sides.indexOf(turn.side);
    started.turns.sort((a, b) => place(a) - place(b));
    return started;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(side: Side, { turns, left }: Turns): Promise<void> {
  const reader = new Reader(side.program);
  const turn: Turn = { side, reader, rates: [] };
  turns.push(turn);
  const reason = await reader.missing(side);
  if (reason === undefined) return;
  turns.splice(turns.indexOf(turn), 1);
  left.push({ side, reason });
  await reader.stop();
}

export interface ReadTable {
  table: SourceTable;
  rows: number;
  columns: readonly string[];
}

/** Rounds that warm up, for every side alike. */
export const warmUpRounds = 1;

/**
 * @param rounds rounded up, so that each order is used equally often
 * @param read of one side: rows per second
 * @returns the number of rounds that count
 */
export async function measureTurns<Own extends Pick<Turn, 'rates'>>(
  turns: readonly Own[],
  rounds: number,
  read: (turn: Own) => Promise<number>,
): Promise<number> {
  const orders = balancedOrders(turns.length);
  const counted = balancedRounds(rounds, orders);
  for (let round = -warmUpRounds; round < counted; round++) {
    for (const side of orders.at(round % orders.length) ?? []) {
      const turn = turns[side] as Own;
      const rate = await read(turn);
      if (round >= 0) turn.rates.push(rate);
    }
  }
  return counted;
}

/**
 * @returns rows per second
 * @throws Error when the side read other rows or columns
 */
export async function readWhole({ side, reader }: Turn, expected: ReadTable, observer?: ReadObserver): Promise<number> {
  const { table } = expected;
  const result = await reader.read({ path: side.path, table, connections: side.connections ?? 1 }, observer);
  if (result.rows !== expected.rows)
    throw new Error(`${side.name}: got ${result.rows} rows, expected ${expected.rows}`);
  const [got, wanted] = [result.columns ?? expected.columns, expected.columns].map((names) => names.toSorted().join());
  if (got !== wanted) throw new Error(`${side.name}: got columns ${got}, expected ${wanted}`);
  return expected.rows / result.seconds;
}
