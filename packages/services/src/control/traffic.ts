/** Counts messages that reach the data routes of a role, and the bytes of their bodies and answers. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Call, hasBody, type Route } from '../http/http-port.ts';

export class Traffic {
  /** Messages received since the last reset. */
  messages = 0;
  receivedBytes = 0;
  /** Bodies of the answers to them. */
  answeredBytes = 0;

  reset(): void {
    this.messages = 0;
    this.receivedBytes = 0;
    this.answeredBytes = 0;
  }

  /** The same routes, counted. Messages that a route refuses by their headers are not. */
  counted(routes: readonly Route[]): Route[] {
    return routes.map((route) => ({
      ...route,
      handle: (call) => {
        this.messages++;
        // Roles and generators send the length of every body. Where none is read, any length may be announced.
        if (hasBody(route)) this.receivedBytes += Number(call.headers['content-length'] ?? 0);
        return route.handle(new CountedCall(call, this));
      },
    }));
  }
}

class CountedCall implements Call {
  private isAnswered = false;

  constructor(
    private readonly call: Call,
    private readonly traffic: Traffic,
  ) {}

  get body(): unknown {
    return this.call.body;
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.call.query;
  }

  get headers(): IncomingHttpHeaders {
    return this.call.headers;
  }

  get parsedAtUs(): number {
    return this.call.parsedAtUs;
  }

  get parameter(): string {
    return this.call.parameter;
  }

  get request(): IncomingMessage {
    return this.call.request;
  }

  answer(status: number, json: string, headers?: Readonly<Record<string, string>>): void {
    if (!this.isAnswered) this.traffic.answeredBytes += Buffer.byteLength(json);
    this.isAnswered = true;
    this.call.answer(status, json, headers);
  }

  takeOver(): ServerResponse {
    this.isAnswered = true;
    return this.call.takeOver();
  }
}
