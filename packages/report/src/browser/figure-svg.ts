/**
 * Converts a figure of the page to a standalone SVG. Every drawing and text has the position and the computed styles
 * that it has in the page.
 */
const names = 'http://www.w3.org/2000/svg';

const copied = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'overflow',
  'font-size',
  'font-weight',
  'text-anchor',
];

export function figureSvg(figure: HTMLElement): SVGSVGElement {
  const outer = figure.getBoundingClientRect();
  const margin = 16;
  const [width, height] = [Math.ceil(outer.width) + 2 * margin, Math.ceil(outer.height) + 2 * margin];
  const svg = element('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'system-ui, sans-serif',
  }) as SVGSVGElement;
  svg.append(element('rect', { width, height, fill: getComputedStyle(figure).getPropertyValue('--card').trim() }));
  const place = ({ left, top }: DOMRect): { x: number; y: number } => ({
    x: left - outer.left + margin,
    y: top - outer.top + margin,
  });
  for (const drawing of figure.querySelectorAll<SVGSVGElement>('svg')) {
    if (drawing.parentElement?.closest('svg') || !isShown(drawing)) continue;
    const copy = styledCopy(drawing);
    const { x, y } = place(drawing.getBoundingClientRect());
    const box = drawing.getBoundingClientRect();
    for (const [name, value] of Object.entries({ x, y, width: box.width, height: box.height }))
      copy.setAttribute(name, String(value));
    svg.append(copy);
  }
  for (const swatch of figure.querySelectorAll<HTMLElement>('.swatch')) {
    if (!isShown(swatch)) continue;
    const box = swatch.getBoundingClientRect();
    svg.append(
      element('rect', {
        ...place(box),
        width: box.width,
        height: box.height,
        fill: getComputedStyle(swatch).backgroundColor,
      }),
    );
  }
  for (const text of textsIn(figure)) svg.append(textCopy(text, place));
  return svg;
}

/** Visible texts outside drawings, buttons and readouts. */
function textsIn(figure: HTMLElement): Text[] {
  const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    const parent = text.parentElement;
    if (!parent || parent.closest('svg, .tools, output, noscript') || !text.data.trim() || !isShown(parent)) continue;
    texts.push(text);
  }
  return texts;
}

/** Copies a text with the line breaks of the page. */
function textCopy(text: Text, place: (box: DOMRect) => { x: number; y: number }): SVGElement {
  const style = getComputedStyle(text.parentElement as Element);
  const group = element('g', { fill: style.color, 'font-size': style.fontSize, 'font-weight': style.fontWeight });
  const range = document.createRange();
  let line = { top: Number.NaN, from: 0, box: new DOMRect() };
  const flush = (to: number): void => {
    const words = text.data.slice(line.from, to).trim();
    const { x, y } = place(line.box);
    if (words)
      group.append(Object.assign(element('text', { x, y: y + line.box.height * 0.78 }), { textContent: words }));
  };
  for (let at = 0; at < text.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const box = range.getClientRects()[0];
    if (!box || box.width === 0 || box.top === line.top) continue;
    if (!Number.isNaN(line.top)) flush(at);
    line = { top: box.top, from: at, box };
  }
  if (!Number.isNaN(line.top)) flush(text.length);
  return group;
}

function styledCopy(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [
    [drawing, ...drawing.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  for (const [at, original] of from.entries()) {
    const style = getComputedStyle(original);
    const target = to[at];
    for (const name of copied) target?.setAttribute(name, style.getPropertyValue(name));
    target?.removeAttribute('class');
    target?.removeAttribute('style');
  }
  for (const part of copy.querySelectorAll('[hidden]')) part.remove();
  return copy;
}

function isShown(one: Element): boolean {
  return one.getClientRects().length > 0;
}

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const created = document.createElementNS(names, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  return created;
}
