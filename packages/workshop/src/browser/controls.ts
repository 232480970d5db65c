/** Sliders and fields of the settings. Each slider has a number field, and a way back to the value of the file. */
import { type Settings, settingLimit } from '../predict/settings.ts';
import { announce, h } from './element.ts';
import type { Store } from './store.ts';

interface Control {
  name: Exclude<keyof Settings, 'machines'>;
  label: string;
  unit: string;
  min: number;
  max: number;
  /** Logarithmic sliders cover orders of magnitude. */
  log?: true;
  step?: number;
}

const controls: readonly Control[] = [
  { name: 'rate', label: 'Rate', unit: 'req/s', min: 1, max: 2000, log: true },
  { name: 'services', label: 'Services (N)', unit: 'in the flow', min: 1, max: 100, log: true },
  { name: 'routers', label: 'Routers (k)', unit: 'dynamic routers', min: 1, max: 20 },
  { name: 'delayMs', label: 'Link delay', unit: 'ms one way', min: 0, max: 200, step: 0.5 },
  { name: 'rulesPerService', label: 'Rules per service', unit: 'generated', min: 0, max: 500 },
  { name: 'workUs', label: 'Work of a service', unit: 'µs', min: 1, max: 20_000, log: true },
  { name: 'cores', label: 'Cores', unit: 'per machine', min: 1, max: 64, log: true },
  { name: 'payloadBytes', label: 'Payload', unit: 'bytes per field', min: 16, max: 100_000, log: true },
];

/** Settings that are always stated; the others may be those of the file. */
const always: readonly string[] = ['rate', 'cores'];
const positions = 1000;

export function controlPanel(store: Store): HTMLElement {
  const form = h('form', { class: 'controls-grid', 'aria-label': 'Load and sliders' });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.append(...controls.map((control) => sliderOf(control, store)), machinesOf(store));
  return form;
}

function sliderOf(control: Control, store: Store): HTMLElement {
  const { name, label, unit, min } = control;
  const id = `set-${name}`;
  const limit = settingLimit(name);
  const slider = h('input', { type: 'range', min: 0, max: positions, 'aria-label': `${label}, slider` });
  const field = h('input', { id, type: 'number', min, max: limit, step: 'any' });
  const reset = h('button', { type: 'button', class: 'link', 'aria-label': `${label}: as in the file` }, 'as in file');
  const set = (value: number | undefined): void => {
    const { [name]: _, ...others } = store.state.settings;
    store.set({ settings: (value === undefined ? others : { ...others, [name]: value }) as Settings });
  };
  slider.addEventListener('input', () => set(valueAt(control, Number(slider.value))));
  field.addEventListener('change', () => {
    const value = Number(field.value);
    if (field.value !== '' && value >= min && value <= limit) set(value);
    else {
      field.value = '';
      show();
      announce(`${label}: from ${min} to ${limit}`);
    }
  });
  reset.addEventListener('click', () => set(undefined));
  const show = (): void => {
    const value = store.state.settings[name];
    const inFile = valueInFile(name, store);
    slider.value = String(positionOf(control, value ?? inFile ?? min));
    slider.setAttribute('aria-valuetext', `${value ?? inFile ?? 'nothing'} ${unit}`);
    if (document.activeElement !== field || value === undefined || field.value === '')
      field.value = value === undefined ? '' : String(value);
    field.placeholder = inFile === undefined ? 'none' : String(inFile);
    reset.hidden = value === undefined || always.includes(name);
  };
  store.on(['settings', 'drawings'], show);
  return h(
    'div',
    { class: 'control' },
    h('div', { class: 'control-head' }, h('label', { for: id }, label), reset),
    slider,
    h('div', { class: 'control-value' }, field, h('span', { class: 'unit' }, unit)),
  );
}

/** The value in the file, where a slider stands while it is not moved. */
function valueInFile(name: Control['name'], { state }: Store): number | undefined {
  return Object.values(state.drawings)[0]?.values[name];
}

function machinesOf(store: Store): HTMLElement {
  const select = h(
    'select',
    { id: 'set-machines' },
    h('option', { value: 'node' }, 'one per node'),
    h('option', { value: 'one' }, 'one for all, as here'),
  );
  select.addEventListener('change', () => {
    const { settings } = store.state;
    store.set({ settings: { ...settings, machines: select.value === 'one' ? 'one' : 'node' } });
  });
  store.on(['settings'], ({ settings }) => {
    select.value = settings.machines;
  });
  return h(
    'div',
    { class: 'control' },
    h('div', { class: 'control-head' }, h('label', { for: 'set-machines' }, 'Machines')),
    select,
  );
}

function valueAt({ min, max, log, step = 1 }: Omit<Control, 'name' | 'label' | 'unit'>, position: number): number {
  const share = position / positions;
  if (!log) return Number((Math.round((min + share * (max - min)) / step) * step).toFixed(3));
  const value = min * (max / min) ** share;
  return value < 20 ? Math.round(value) : Number(value.toPrecision(2));
}

function positionOf({ min, max, log }: Omit<Control, 'name' | 'label' | 'unit'>, value: number): number {
  const inside = Math.min(max, Math.max(min, value));
  const share = log ? Math.log(inside / min) / Math.log(max / min) : (inside - min) / (max - min);
  return Math.round(share * positions);
}
