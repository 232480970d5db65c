/**
 * Turns of live machines on a calendar: the flow of every request as it happens, with its deadlines and caps. The
 * operations of a turn are those of a trace; timers come on top.
 */
import type { ChangedRules, GatewayRequest, RuleChange } from '@topo-bench/core';
import type { ConfirmRules } from '@topo-bench/flow/memory';
import { type ClientAnswer, DeploymentScript, type ScriptParts } from '../script/deployment-script.ts';
import { operation, operationSize } from '../script/operations.ts';
import type { ScriptFaults } from '../script/role-script.ts';
import { TokenHashing } from '../script/token-hashing.ts';
import type { OpenCall, ScriptTimer, TurnWriter } from '../script/turn-writer.ts';

interface LaterTurn {
  process: number;
  begin: () => void;
}

/** Operations are numbers of 32 bits. A longer timer lies beyond every load. */
const longestTimerUs = 2 ** 31 - 1;

export class LiveTurns implements TurnWriter {
  nowUs = 0;
  readonly hashing = new TokenHashing();
  /** By request (index): what its client has, with tokens for digests. */
  readonly answers: (ClientAnswer | undefined)[] = [];
  private readonly script: DeploymentScript;
  private readonly later = new Map<number, LaterTurn>();
  /** Steps that wait for rules: their requests. */
  private readonly waiting = new Map<ScriptTimer, number>();
  private nextTurn = 0;
  private current = -1;
  private code = new Int32Array(64 * operationSize);
  private length = 0;

  /** @param requestOf the request of an index */
  constructor(
    parts: ScriptParts,
    private readonly requestOf: (request: number) => GatewayRequest & { id: string },
    faults?: ScriptFaults,
  ) {
    this.script = new DeploymentScript(parts, this, this.hashing, faults);
  }

  /** The first turn of a request, at the generator. */
  request(index: number): number {
    return this.script.request(this.requestOf(index), (answer) => {
      this.answers[index] = answer;
    });
  }

  processOf(turn: number): number {
    return (this.later.get(turn) as LaterTurn).process;
  }

  /** The turn of a role that takes changed rules. It belongs to no request. */
  changeRules(process: number, change: RuleChange, confirmed: ConfirmRules): number {
    return this.script.changeRules(process, change, confirmed);
  }

  /** A role ends: nothing that waits there happens. @returns turns of its callers and clients, whose calls fail */
  crash(process: number, name: string): { process: number; request: number; turn: number }[] {
    for (const [turn, later] of this.later) if (later.process === process) this.later.delete(turn);
    const { scripts } = this.script;
    const failing = (calls: Iterable<OpenCall>, caller: number) =>
      [...calls].map(({ request, fail }) => ({ process: caller, request, turn: this.turn(caller, fail) }));
    const callers = scripts.filter((caller) => caller.process !== process);
    return [
      ...callers.flatMap((caller) => failing(caller.callsTo(name), caller.process)),
      ...failing(this.script.clientsOf(process), scripts.length),
    ];
  }

  restart(process: number, rules: ChangedRules): void {
    this.script.restart(process, rules);
  }

  /** False for a timer that was cancelled, and for an answer that came too late. */
  isWanted(turn: number): boolean {
    return this.later.has(turn);
  }

  /** Begins a turn. @returns its operations, valid until the next turn */
  perform(turn: number, request: number, nowUs: number): Int32Array {
    this.current = request;
    const { begin } = this.later.get(turn) as LaterTurn;
    this.later.delete(turn);
    this.nowUs = nowUs;
    this.length = 0;
    begin();
    this.write(operation.end);
    return this.code;
  }

  write(code: number, a = 0, b = 0, c = 0): void {
    if (this.length === this.code.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.code);
      this.code = longer;
    }
    this.code[this.length++] = code;
    this.code[this.length++] = a;
    this.code[this.length++] = b;
    this.code[this.length++] = c;
  }

  turn(process: number, begin: () => void): number {
    this.later.set(this.nextTurn, { process, begin });
    return this.nextTurn++;
  }

  startTimer(process: number, timer: ScriptTimer, expire: () => void): void {
    timer.handle = this.startTurnAfter(process, timer.afterUs, expire);
    if ('step' in timer) this.waiting.set(timer, this.current);
  }

  cancelTimer(_process: number, timer: ScriptTimer): void {
    this.drop(timer.handle as number);
    const request = this.waiting.get(timer);
    if (request === undefined) return;
    this.waiting.delete(timer);
    this.current = request;
    this.write(operation.as, request);
  }

  /** The machine itself continues the flow after the last branch. */
  arrive(): void {}

  hopTimeout(process: number, withinUs: number, expire: () => void): () => void {
    const turn = this.startTurnAfter(process, withinUs, expire);
    return () => this.drop(turn);
  }

  callOf(fail: () => void): OpenCall {
    return { request: this.current, fail };
  }

  drop(turn: number): void {
    this.later.delete(turn);
  }

  private startTurnAfter(process: number, us: number, begin: () => void): number {
    const turn = this.turn(process, begin);
    this.write(operation.timer, turn, Math.min(longestTimerUs, Math.ceil(us)));
    return turn;
  }
}
