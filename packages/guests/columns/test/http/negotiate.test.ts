import { expect, test } from 'vitest';
import { negotiate } from '../../src/http/negotiate.ts';

const arrow = 'application/vnd.apache.arrow.stream';

test.each([
  [undefined, arrow, undefined],
  ['*/*', arrow, undefined],
  ['application/json', 'application/json', undefined],
  ['application/x-ndjson', 'application/x-ndjson', undefined],
  ['application/jsonl', 'application/x-ndjson', undefined],
  [`application/json;q=0.5, ${arrow}`, arrow, undefined],
  [`application/json, ${arrow};q=0.5`, 'application/json', undefined],
  [`${arrow};q=0, */*`, 'application/json', undefined],
  ['application/*;q=0.1', arrow, undefined],
  [`${arrow}; codecs="zstd, lz4"`, arrow, 'zstd'],
  [`${arrow};codecs=lz4`, arrow, 'lz4'],
  [`${arrow}; codecs="snappy,lz4"`, arrow, 'lz4'],
  [`text/html, ${arrow};codecs="zstd";q=0.9`, arrow, 'zstd'],
])('%s requests %s compressed with %s', (accept, type, compression) => {
  expect(negotiate(accept)).toEqual({ type, compression });
});

test.each(['text/html', 'image/*', `${arrow};q=0`])('%s cannot be served', (accept) => {
  expect(negotiate(accept)).toBeUndefined();
});
