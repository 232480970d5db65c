/** The facts of a call for items: texts of any language, as rules are written. */
import { headersOfFacts } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { HttpProblem } from '../../src/http/http-problem.ts';
import { readCallFacts } from '../../src/items/call-facts.ts';

const facts = { class: 'Käufe', origin: 'Île', purpose: 'voilà', consents: ['für-Werbung', '分析'] };
/** As Node.js reads the bytes of a header. */
const received = (bytes: Buffer): string => bytes.toString('latin1');

it('facts are read from headers as UTF-8, and written alike', () => {
  const headers = {
    'x-topo-class': received(Buffer.from('Käufe')),
    'x-topo-origin': received(Buffer.from('Île')),
    'x-topo-purpose': received(Buffer.from('voilà')),
    'x-topo-consents': received(Buffer.from('für-Werbung, 分析')),
  };
  expect(readCallFacts(headers)).toEqual(facts);
  expect(readCallFacts(headersOfFacts(facts))).toEqual(facts);
  expect(() => new Headers(headersOfFacts(facts))).not.toThrow();
});

it('facts that are not UTF-8 are refused, each with its header', () => {
  const latin1 = received(Buffer.from('für', 'latin1'));
  const headers = { ...headersOfFacts(facts), 'x-topo-purpose': latin1, 'x-topo-consents': `ok,${latin1}` };
  let problem: unknown;
  try {
    readCallFacts(headers);
  } catch (error) {
    problem = error;
  }
  expect(problem).toBeInstanceOf(HttpProblem);
  expect(problem).toMatchObject({
    status: 400,
    problems: ['x-topo-purpose: is not UTF-8', 'x-topo-consents: is not UTF-8'],
  });
});
