import { FlightError } from '@topo-bench/arrow-flight';
import {
  decodeInfoRequest,
  decodeQueryText,
  decodeSqlMessage,
  encodeQueryText,
  encodeSqlMessage,
} from '@topo-bench/arrow-flight/sql';
import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { damaged } from '../../../../libraries/http2/test/fixtures/random-bytes.ts';
import { cataloguePart } from '../../src/sql/catalogue.ts';
import { SealedStatements } from '../../src/sql/sealed-statements.ts';

const statement = { text: 'SELECT 1', shape: { columns: [], parameterTypeIds: [] }, values: ['a', null] };

describe('messages of Flight SQL', () => {
  it('are distinguished from other commands', () => {
    const message = { type: 'CommandStatementQuery', value: encodeQueryText('SELECT 1') };
    expect(decodeSqlMessage(encodeSqlMessage(message))).toMatchObject({ type: message.type });
    expect(decodeSqlMessage(Buffer.from('{"purpose":"billing"}'))).toBeUndefined();
    expect(decodeSqlMessage(Buffer.from('\n\x10type.example/Some'))).toBeUndefined();
  });

  it('give an error or another message when truncated or damaged, and nothing else', () => {
    const random = randomStream(5, 'flight sql');
    const value = Buffer.from('0a0161120262251a03697425220454 4142 4c28 01'.replaceAll(' ', ''), 'hex');
    const whole = encodeSqlMessage({ type: 'CommandGetTables', value });
    for (let round = 0; round < 50_000; round++) {
      const bytes = damaged(random, whole);
      const message = decodeSqlMessage(bytes);
      if (!message) continue;
      try {
        cataloguePart('CommandGetTables', message.value);
        decodeQueryText(message.value);
        expect(decodeInfoRequest(message.value).every(Number.isFinite)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(FlightError);
      }
    }
  });

  it('request facts in one field or in several', () => {
    expect(decodeInfoRequest(Uint8Array.of(0x0a, 3, 0x03, 0xf4, 0x03, 0x08, 0x01))).toEqual([3, 500, 1]);
  });
});

describe('a sealed statement', () => {
  it('opens only unchanged, for its user, in its process', () => {
    const sealed = new SealedStatements();
    const handle = sealed.seal(statement, 'ada');
    expect(sealed.open(handle, 'ada')).toEqual(statement);
    expect(Buffer.from(handle).includes('SELECT')).toBe(false);
    const refusal = expect.objectContaining({ status: 'not-found' });
    expect(() => sealed.open(handle, 'bob')).toThrow(refusal);
    expect(() => sealed.open(handle, undefined)).toThrow(refusal);
    expect(() => new SealedStatements().open(handle, 'ada')).toThrow(refusal);
    for (let at = 0; at < handle.length; at++) {
      const changed = Uint8Array.from(handle);
      changed[at] = (changed[at] as number) ^ 0x10;
      expect(() => sealed.open(changed, 'ada')).toThrow(refusal);
      expect(() => sealed.open(handle.subarray(0, at), 'ada')).toThrow(refusal);
    }
  });
});
