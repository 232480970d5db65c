/**
 * Authenticates callers: a handshake exchanges user and password for a token, which every later call carries. Supports
 * both common forms: the `authorization` header (basic, then bearer), and a handshake payload, answered with a token
 * for the `auth-token-bin` header.
 */
import { randomBytes } from 'node:crypto';
import type { Headers } from '@topo-bench/http2';
import { FlightError } from '../errors.ts';
import { PasswordTries, type TryBounds } from './password-tries.ts';

export interface AuthenticationOptions {
  /** Verifies a password. Must compare in constant time, or compare digests. */
  check(user: string, password: string): boolean | Promise<boolean>;
  /** Lifetime of a token. Default: 1 h. */
  tokenLifetimeMs?: number;
  /** Limits on wrong passwords. */
  tries?: TryBounds;
}

interface Token {
  user: string;
  goodUntilMs: number;
}

/** Max number of valid tokens; beyond it the oldest one is revoked. */
const maxTokens = 10_000;
const defaultLifetimeMs = 3_600_000;

export class Authentication {
  private readonly tokens = new Map<string, Token>();
  private readonly lifetimeMs: number;
  private readonly tries: PasswordTries;

  constructor(
    private readonly options: AuthenticationOptions,
    private readonly nowMs: () => number = Date.now,
  ) {
    this.lifetimeMs = options.tokenLifetimeMs ?? defaultLifetimeMs;
    this.tries = new PasswordTries(options.tries, nowMs);
  }

  /**
   * @param connection identifies the caller's connection
   * @returns a new token
   * @throws FlightError `unauthenticated`, `resource-exhausted`
   */
  async logIn(user: string, password: string, connection: string): Promise<string> {
    await this.tries.attempt(connection, () => this.options.check(user, password));
    const token = randomBytes(32).toString('base64url');
    this.tokens.set(token, { user, goodUntilMs: this.nowMs() + this.lifetimeMs });
    const oldest = this.tokens.keys().next().value;
    if (this.tokens.size > maxTokens && oldest !== undefined) this.tokens.delete(oldest);
    return token;
  }

  /**
   * The user of a call. Any call may carry user and password instead of a token.
   * @throws FlightError `unauthenticated`, `resource-exhausted`
   */
  async userOf(headers: Headers, connection: string): Promise<string> {
    const basic = basicCredentials(headers);
    if (basic) {
      await this.tries.attempt(connection, () => this.options.check(basic.user, basic.password));
      return basic.user;
    }
    const token = tokenOf(headers);
    if (token === undefined) {
      throw new FlightError('unauthenticated', 'the call has no token', { hint: 'log in with a handshake first' });
    }
    const known = this.tokens.get(token);
    if (!known) throw new FlightError('unauthenticated', 'unknown token', { hint: 'log in again' });
    if (this.nowMs() >= known.goodUntilMs) {
      this.tokens.delete(token);
      throw new FlightError('unauthenticated', 'the token has expired', { hint: 'log in again' });
    }
    return known.user;
  }
}

/** User and password of an `authorization: Basic …` header (RFC 7617). */
export function basicCredentials(headers: Headers): { user: string; password: string } | undefined {
  const match = /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(headers.authorization ?? '');
  if (!match) return undefined;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function tokenOf(headers: Headers): string | undefined {
  const bearer = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '');
  if (bearer) return bearer[1];
  const binary = headers['auth-token-bin'];
  return typeof binary === 'string' ? Buffer.from(binary, 'base64').toString('utf8') : undefined;
}
