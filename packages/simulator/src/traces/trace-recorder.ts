/**
 * Records the trace of a request: its turns by role, with their operations. The machines of all roles run once, in zero
 * time, so no deadline expires. The branch that ends last may be another one on a calendar: each may continue the flow.
 */
import type { GatewayRequest } from '@topo-bench/core';
import type { GatewayAnswer } from '@topo-bench/flow';
import { DeploymentScript, type ScriptParts } from '../script/deployment-script.ts';
import { beginners, operation, operationSize } from '../script/operations.ts';
import { TokenHashing } from '../script/token-hashing.ts';
import type { OpenCall, ScriptTimer, TurnWriter } from '../script/turn-writer.ts';

/** Turns and operations of all traces so far. Indexes of the lists of operations count numbers, not operations. */
export interface TurnTable {
  code: number[];
  /** By turn: first number of its operations. */
  start: number[];
  /** By turn: index of its role, or their number for the generator. */
  process: number[];
}

export interface Trace {
  /** The request that was recorded. */
  request: GatewayRequest & { id: string };
  /** Turn of the generator that sends the request. */
  turn: number;
  /** Branches by fork. */
  branches: number[];
  /** The answer of the gateway, with tokens for digests, and without a time. */
  answer: GatewayAnswer;
}

interface OpenFork {
  number: number;
  /** Turn that opened it. */
  turn: number;
  /** Places of the number of the operation that continues the flow. */
  continuations: number[];
}

const nothing = (): void => undefined;

export class TraceRecorder implements TurnWriter {
  readonly nowUs = 0;
  readonly hashing = new TokenHashing();
  private readonly script: DeploymentScript;
  /** Turns that have not begun, and those of them that an operation has begun, in that order. */
  private readonly later = new Map<number, () => void>();
  private readonly due: number[] = [];
  private readonly forks = new Map<string, OpenFork>();
  private branches: number[] = [];
  private current = -1;

  constructor(
    parts: ScriptParts,
    private readonly table: TurnTable,
  ) {
    this.script = new DeploymentScript(parts, this, this.hashing);
  }

  record(request: GatewayRequest & { id: string }): Trace {
    this.branches = [];
    const answers: GatewayAnswer[] = [];
    const turn = this.script.request(request, (given) => {
      // No gateway is down.
      if (typeof given !== 'string') answers.push(given);
    });
    this.due.push(turn);
    for (let next = this.due.shift(); next !== undefined; next = this.due.shift()) this.perform(next);
    const [answer] = answers;
    if (!answer || answers.length > 1 || this.forks.size + this.later.size > 0) {
      throw new RangeError(
        `the request ${request.id} ended ${answers.length} times, with ${this.forks.size} open forks`,
      );
    }
    return { request, turn, branches: this.branches, answer };
  }

  private perform(turn: number): void {
    const begin = this.later.get(turn);
    this.later.delete(turn);
    this.current = turn;
    this.table.start[turn] = this.table.code.length;
    begin?.();
    this.write(operation.end);
  }

  write(code: number, a = 0, b = 0, c = 0): void {
    this.table.code.push(code, a, b, c);
    if (beginners.has(code)) this.due.push(a);
  }

  turn(process: number, begin: () => void): number {
    const turn = this.table.process.push(process) - 1;
    this.table.start.push(-1);
    this.later.set(turn, begin);
    return turn;
  }

  startTimer(process: number, timer: ScriptTimer): void {
    if (!('fork' in timer)) return;
    const number = this.branches.push(0) - 1;
    this.forks.set(`${process} ${timer.fork}`, { number, turn: this.current, continuations: [] });
  }

  /**
   * All branches have arrived: what follows continues the flow. In a later turn than that of the fork, the arrival is
   * the last thing that a turn does, so the flow continues in its place.
   */
  cancelTimer(process: number, timer: ScriptTimer): void {
    if (!('fork' in timer)) return;
    const key = `${process} ${timer.fork}`;
    const { code } = this.table;
    for (const place of (this.forks.get(key) as OpenFork).continuations) code[place] = code.length;
    this.forks.delete(key);
  }

  arrive(process: number, key: number): void {
    const fork = this.forks.get(`${process} ${key}`) as OpenFork;
    const { number, turn, continuations } = fork;
    this.branches[number] = (this.branches[number] as number) + 1;
    if (turn === this.current) {
      this.write(operation.branch, number);
      return;
    }
    this.write(operation.join, number);
    continuations.push(this.table.code.length - operationSize + 2);
  }

  hopTimeout(): () => void {
    return nothing;
  }

  callOf(fail: () => void): OpenCall {
    return { request: 0, fail };
  }

  drop(): void {}
}
