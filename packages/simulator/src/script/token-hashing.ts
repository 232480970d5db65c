/**
 * Hashing by tokens: equal for equal values, without a key and without a hash. Afterwards the tokens are exchanged for
 * the hashes of a request of the same kind, whose values may differ.
 */
import type { Delivered, DeliveredDigests, GatewayRequest, Hashing } from '@topo-bench/core';

/** A pseudonym has the length of a real one, 64 characters, so that messages have the same size. */
const pseudonymLength = 64;
const pseudonymMark = '\u0001';

export class TokenHashing implements Hashing {
  private readonly values: unknown[] = [];
  private readonly numbers = new Map<string, number>();

  /** Both are also called without their object. */
  readonly digests = (payload: Readonly<Record<string, unknown>>): DeliveredDigests =>
    mapFields(payload, (value) => String(this.numberOf(value)));

  readonly pseudonym = (value: unknown): string => `${pseudonymMark}${this.numberOf(value)}`.padEnd(pseudonymLength);

  /**
   * What services received of a request.
   * @param delivered to the services of `recorded`, with tokens
   * @param recorded a request of the same kind, or the same one
   * @param hashing of the run
   */
  deliveredOf(delivered: Delivered, recorded: GatewayRequest, request: GatewayRequest, hashing: Hashing): Delivered {
    const copies = delivered.copies.map((tokens) => {
      const payload = mapFields(tokens, (token, field) => {
        const [was, is] = [recorded.payload[field], request.payload[field]];
        // Requests of one kind differ in texts only: all other values are part of the kind.
        const swap = (value: unknown): unknown => (typeof was === 'string' && value === was ? is : value);
        return this.revived(this.values[Number(token)], hashing, swap);
      });
      return hashing.digests(payload);
    });
    return { services: delivered.services.map((service) => ({ ...service })), copies };
  }

  private revived(value: unknown, hashing: Hashing, swap: (value: unknown) => unknown): unknown {
    if (typeof value === 'string') {
      if (!value.startsWith(pseudonymMark)) return swap(value);
      return hashing.pseudonym(swap(this.values[Number(value.slice(1))]));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((element) => this.revived(element, hashing, same));
    return mapFields(value as Record<string, unknown>, (member) => this.revived(member, hashing, same));
  }

  private numberOf(value: unknown): number {
    const text = JSON.stringify(value);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
}

function same(value: unknown): unknown {
  return value;
}

/** No prototype: `__proto__` and `constructor` are ordinary fields. */
function mapFields<Value, Mapped>(
  fields: Readonly<Record<string, Value>>,
  map: (value: Value, field: string) => Mapped,
): Record<string, Mapped> {
  const mapped: Record<string, Mapped> = Object.create(null);
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) mapped[field] = map(value, field);
  return mapped;
}
