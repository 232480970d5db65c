/** Chart downloads: SVG with inline styles, and PNG rendered from the SVG at twice its size. */
import { figureSvg } from './figure-svg.ts';

export function addDownloads(): void {
  // `drawFigures` shows and hides the buttons of drawn figures.
  for (const tools of document.querySelectorAll<HTMLElement>('figure:not([data-draw]) .tools')) tools.hidden = false;
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-download]');
    const figure = button?.closest<HTMLElement>('figure');
    if (!button || !figure) return;
    const svg = figureSvg(figure);
    const text = new XMLSerializer().serializeToString(svg);
    if (button.dataset.download === 'svg') save(new Blob([text], { type: 'image/svg+xml' }), `${nameOf(figure)}.svg`);
    else void savePng(svg, text, `${nameOf(figure)}.png`);
  });
}

function nameOf(figure: HTMLElement): string {
  return `topo-bench-${figure.dataset.figure ?? 'chart'}`;
}

async function savePng(svg: SVGSVGElement, text: string, name: string): Promise<void> {
  const image = new Image();
  // A `data:` URL: the page's policy allows no other image, and the canvas stays readable.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 2 * Number(svg.getAttribute('width'));
  canvas.height = 2 * Number(svg.getAttribute('height'));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && save(blob, name), 'image/png');
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
