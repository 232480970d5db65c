import { expect, it } from 'vitest';
import { decodeStatusMessage, encodeStatusMessage } from '../../src/grpc/status-message.ts';
import { formatTimeout, parseTimeoutMs } from '../../src/grpc/timeout.ts';

it('a status message with any text is encoded as printable ASCII', () => {
  for (const message of ['plain', '100 % — é\n\u{1f600}', '', '\ud800 alone', ' spaced: ', ' ']) {
    const encoded = encodeStatusMessage(message);
    expect(encoded).toMatch(/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/);
    expect(decodeStatusMessage(encoded)).toBe(message.replace('\ud800', '\ufffd'));
  }
  expect(encodeStatusMessage('€'.repeat(5000)).length).toBeLessThan(8192);
  expect(decodeStatusMessage('%zz kept')).toBe('%zz kept');
});

it('a deadline is parsed in every unit of the protocol, and other text is ignored', () => {
  const texts = ['2H', '2M', '2S', '2m', '2000u', '2000000n', '123456789m', '2', 'S', '', undefined];
  expect(texts.map(parseTimeoutMs)).toEqual([7_200_000, 120_000, 2000, 2, 2, 2, ...Array(5).fill(undefined)]);
  for (const timeoutMs of [1, 250, 99_999_999, 10 ** 10])
    expect(parseTimeoutMs(formatTimeout(timeoutMs))).toBe(timeoutMs);
});
