import { Field, Schema, TimestampMicrosecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { StreamCursor } from '../../src/program/cursor.ts';

const schema = new Schema([new Field('at', new TimestampMicrosecond('UTC'), true)]);
const second = (millis: number): { at: Date } => ({ at: new Date(Date.UTC(2024, 0, 1, 12, 0, 0, millis)) });

describe('a cursor over rows without an order', () => {
  it('puts a whole second before its fractions', () => {
    const cursor = new StreamCursor({ field: 'at' });
    const step = cursor.follow(schema, false);
    expect([step(second(500)), step(second(0))]).toEqual(['emit', 'emit']);
    cursor.complete();
    expect(cursor.state()).toMatchObject({ cursor: '2024-01-01T12:00:00.5Z' });
  });

  it('continues within the second of its state', () => {
    const step = new StreamCursor({ field: 'at', above: '2024-01-01T12:00:00Z' }).follow(schema, false);
    expect([-1, 0, 1, 700].map((millis) => step(second(millis)))).toEqual(['skip', 'skip', 'emit', 'emit']);
  });
});
