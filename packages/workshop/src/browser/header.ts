/** The bar at the top: the file, undo and redo, Save, the link, and the export. */
import { announce, h } from './element.ts';
import { exportPage } from './export-page.ts';
import { saveText } from './save-text.ts';
import { type Store, sessionIn } from './store.ts';
import type { TopologyPanel } from './topology-panel.ts';

/** Long enough to read why a text was not saved. */
const noteMs = 15_000;

export function header(store: Store, panel: TopologyPanel, pristine: string): HTMLElement {
  const { start } = store;
  const title = h('h1', {}, 'Workshop');
  const state = h('span', { class: 'file-state' });
  const [undo, redo] = ['Undo', 'Redo'].map((name) => h('button', { type: 'button' }, name)) as [
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  undo.addEventListener('click', () => panel.editor().undo() && announce('undone'));
  redo.addEventListener('click', () => panel.editor().redo() && announce('done again'));
  const save = h(
    'button',
    { type: 'button', class: 'primary' },
    start.isShipped ? 'Shipped file: copy it to save' : 'Save',
  );
  save.addEventListener('click', () => void saveText(store).then(note));
  const link = h('button', { type: 'button' }, 'Copy link');
  link.addEventListener('click', () => void copyLink());
  const download = h('button', { type: 'button' }, 'Export page');
  download.addEventListener('click', () => {
    const { calibration } = store.state;
    exportPage(pristine, sessionIn(store.state), { calibration, remarks: start.remarks });
  });
  const revert = h('button', { type: 'button', class: 'link' }, 'use the file');
  revert.addEventListener('click', () => panel.change(start.texts));
  store.on(['topology', 'rules', 'alive', 'problems'], ({ topology, rules, alive, problems }) => {
    const isChanged = topology !== start.texts.topology || rules !== start.texts.rules;
    const where = start.exported ? `exported ${start.exported.at.slice(0, 10)}` : 'on the disk';
    state.textContent = isChanged ? 'changed, not saved' : `as ${where}`;
    state.classList.toggle('changed', isChanged);
    revert.hidden = !isChanged;
    save.disabled = start.isShipped || !isChanged || !alive || problems.some(({ severity }) => severity === 'error');
    undo.disabled = !started(panel) || !panel.editor().canUndo;
    redo.disabled = !started(panel) || !panel.editor().canRedo;
  });
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const isField = (event.target as Element).matches('input, textarea, .editor');
    if (event.key === 's') {
      event.preventDefault();
      if (!save.disabled) save.click();
    } else if (event.key === 'z' && !isField) {
      event.preventDefault();
      (event.shiftKey ? redo : undo).click();
    }
  });
  return h(
    'header',
    { class: 'bar' },
    h('div', { class: 'brand' }, h('p', { class: 'eyebrow' }, 'topo-bench'), title),
    h('p', { class: 'file' }, h('b', {}, start.file), state, revert),
    h('div', { class: 'bar-tools' }, undo, redo, link, download, save),
  );
}

function started(panel: TopologyPanel): boolean {
  return panel.editor() !== undefined;
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    note('the address is copied: it contains this session');
  } catch {
    note('copy the address of this page: it contains this session');
  }
}

let hiding: ReturnType<typeof setTimeout> | undefined;

function note(text: string): void {
  announce(text);
  const shown = document.getElementById('toast');
  if (!shown) return;
  shown.textContent = text;
  clearTimeout(hiding);
  hiding = setTimeout(() => shown.replaceChildren(), noteMs);
}
