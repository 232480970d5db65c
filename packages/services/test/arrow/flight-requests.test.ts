/** Descriptors and tickets that clients write. */
import { expect, it } from 'vitest';
import { readDescriptor, readTicket, writeTicket } from '../../src/arrow/flight-requests.ts';

it('a purpose is read as UTF-8, and any other text is refused', () => {
  const command = JSON.stringify({ purpose: 'für-Werbung' });
  expect(readDescriptor({ command: Buffer.from(command) }, 'orders')).toEqual({ purpose: 'für-Werbung' });
  const refusal = expect.objectContaining({ status: 'invalid-argument' });
  expect(() => readDescriptor({ command: Buffer.from(command, 'latin1') }, 'orders')).toThrow(refusal);
  const ticket = Buffer.from(writeTicket({ service: 'orders', part: 0, parts: 1, purpose: 'ü' }));
  expect(readTicket(ticket, 'orders').purpose).toBe('ü');
  const notFound = expect.objectContaining({ status: 'not-found' });
  expect(() => readTicket(Buffer.from(ticket.toString(), 'latin1'), 'orders')).toThrow(notFound);
});
