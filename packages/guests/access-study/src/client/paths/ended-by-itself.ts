/** The end of a program whose output broke. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A cluster reports the end of a pod a second late. */
const ownEndMs = 5000;

/**
 * What a program reports of its own end explains more than the output that broke. Once it has to be stopped, its end
 * would hide the cause.
 * @param ended resolves with the end
 * @returns undefined for a program that does not end by itself
 */
export function endedByItself<End>(ended: Promise<End>): Promise<End | undefined> {
  return Promise.race([ended, sleep(ownEndMs, undefined, { ref: false })]);
}
