import { expect, it } from 'vitest';
import { shownAddress } from '../src/without-credentials.ts';

it.each([
  ['http://host:81/a/b?page=2&sort=name', 'http://host:81/a/b?page=2&sort=name'],
  ["http://ann:s3'cret@host/", 'http://***@host/'],
  ['https://s3cret@host/a', 'https://***@host/a'],
  ['http://host/?api_key=s3cret&page=2', 'http://host/?api_key=…&page=2'],
  ['http://host/?X-Amz-Signature=s3cret', 'http://host/?X-Amz-Signature=…'],
  ['http://host/?access_token=s3cret#s3cret', 'http://host/?access_token=…'],
  ['http://host/?q=eyJhbGciOiJub25lIn0.s3cret.x', 'http://host/?q=…'],
  ['http://host/?q=s3cret78901234567890123456789012', 'http://host/?q=…'],
  ['http://host/?monkey=1&tokenless', 'http://host/?monkey=1&tokenless'],
])('the address %s has no secrets when it is shown', (url, shown) => {
  expect(shownAddress(new URL(url))).toBe(shown);
});
