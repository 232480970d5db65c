/**
 * Comparison of secrets whose time tells nothing about them, their length included. Loads `node:crypto`: imported by
 * path.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
