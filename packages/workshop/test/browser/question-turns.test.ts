/** Which questions are asked while a slider moves. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QuestionTurns } from '../../src/browser/question-turns.ts';

let turns: QuestionTurns;
let asked: number[];
const take = (rate: number): void => turns.take(() => void asked.push(rate));

beforeEach(() => {
  vi.useFakeTimers();
  [turns, asked] = [new QuestionTurns(), []];
});
afterEach(() => void vi.useRealTimers());

it('starts the first question at once, and the newest one when the first has figures', () => {
  for (const rate of [10, 20, 30]) take(rate);
  expect(asked).toEqual([10]);
  turns.answered();
  expect(asked).toEqual([10, 30]);
  turns.answered();
  take(40);
  expect(asked).toEqual([10, 30, 40]);
});

it('waits no longer than a moment for the figures of a question that takes long', () => {
  take(10);
  vi.advanceTimersByTime(100);
  take(20);
  vi.advanceTimersByTime(49);
  expect(asked).toEqual([10]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual([10, 20]);
  vi.advanceTimersByTime(1000);
  take(30);
  expect(asked).toEqual([10, 20, 30]);
});
