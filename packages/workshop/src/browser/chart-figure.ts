/** A drawing or table with its title, and as SVG and PNG to download. */
import { h } from './element.ts';

export function chartFigure(name: string, title: string, content: HTMLElement): HTMLElement {
  const button = (format: string): HTMLElement =>
    h(
      'button',
      { type: 'button', 'data-download': format, 'aria-label': `${title} as ${format.toUpperCase()}` },
      format.toUpperCase(),
    );
  return h(
    'figure',
    { class: 'chart-figure', 'data-figure': `workshop-${name}` },
    h('figcaption', {}, h('h3', {}, title), h('span', { class: 'tools' }, button('svg'), button('png'))),
    content,
  );
}

/** A table that may be wider than its place. */
export function scrollable(title: string, content: HTMLElement): HTMLElement {
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `${title}, table` }, content);
}
