import { describe, expect, it } from 'vitest';
import { failureMessage, messageOf } from '../../src/program/failure.ts';

const hidden = 'p4ss';

describe('the message of a failure', () => {
  it.each([
    `cannot connect to postgresql://ann:${hidden}@db:5432/shop`,
    `cannot connect to mongodb+srv://ann:${hidden}@a.example,b.example/?tls=true`,
    `http://${hidden}@proxy:8080 refused`,
    `two: postgres://a:${hidden}@one/ and mongodb://b:${hidden}@two/`,
    `postgresql://ann:a@b/c#${hidden}@db/`,
    `POSTGRESQL://ANN:${hidden}@DB/`,
  ])('has no user and no password: %s', (text) => {
    const error = Object.assign(new Error(text), { hint: `try ${text}` });
    const message = JSON.stringify(failureMessage(error));
    expect(message).not.toContain(hidden);
    expect(message).toContain('***@');
  });

  it('keeps the host, and text without an address', () => {
    expect(messageOf(new Error(`mongodb://ann:${hidden}@db:27017/shop ended`))).toBe(
      'mongodb://***@db:27017/shop ended',
    );
    expect(messageOf(new Error('ann@example.org has no right to read a://b'))).toBe(
      'ann@example.org has no right to read a://b',
    );
  });
});
