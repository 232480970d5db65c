import { expect, it } from 'vitest';
import { isSecretName, shownAddress, withoutCredentials } from '../src/without-credentials.ts';

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

it.each([
  ['tcp://ann:s3cret@build:2375 is used', 'tcp://***@build:2375 is used'],
  ['https://s3cret@h/a and http:/ann:s3cret@h:1', 'https://***@h/a and http:/***@h:1'],
  ['postgresql://ann:s3cret@db/x', 'postgresql://***@db/x'],
  ['postgresql://ann:***@db/x and redis://ann@r', 'postgresql://ann:***@db/x and redis://ann@r'],
  ['mail ann@host, see http://host/@ann', 'mail ann@host, see http://host/@ann'],
])('the text %s has no credentials when it is shown', (text, shown) => expect(withoutCredentials(text)).toBe(shown));

it.each(['token', 'accessToken', 'client_secret', 'X-Amz-Signature', 'apiKey', 'api_key', 'sig', 'sessionId', 'pwd'])(
  'the parameter %s is a secret',
  (name) => expect(isSecretName(name)).toBe(true),
);
it.each(['author', 'monkey', 'tokens', 'country', 'code', 'session_length', 'design'])(
  'the parameter %s is none',
  (name) => expect(isSecretName(name)).toBe(false),
);
