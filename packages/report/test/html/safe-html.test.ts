import { expect, test } from 'vitest';
import { html } from '../../src/html/safe-html.ts';

test('values are text in content and attributes; markup of the templates stays', () => {
  const evil = `<script>alert("x")</script>' onload='y`;
  expect(html`<p title="${evil}">${evil}${html`<b>${'&'}</b>`}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39; onload=&#39;y">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39; onload=&#39;y<b>&amp;</b></p>',
  );
});

test('an object that looks like markup is not taken for it', () => {
  expect(html`${{ text: '<script>' } as never}`.text).toBe('[object Object]');
});

test('lists are joined, nothing is nothing, characters that disguise text are made visible', () => {
  expect(html`${[1, 'a', [html`<i></i>`]]}|${false}|${undefined}|${0}|${'a\u202eb\u0000c'}`.text).toBe(
    '1a<i></i>|||0|a�b�c',
  );
});
