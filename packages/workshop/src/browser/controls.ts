/** Sliders and fields of the settings. */
import { type Settings, settingLimit } from '../predict/settings.ts';
import { h } from './element.ts';
import { type Control, sliderOf } from './slider.ts';
import type { Store } from './store.ts';

type SettingControl = Control & { name: Exclude<keyof Settings, 'machines' | 'servedBefore'> };

const controls: readonly SettingControl[] = [
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

export function controlPanel(store: Store): HTMLElement {
  const form = h('form', { class: 'controls-grid', 'aria-label': 'Load and sliders' });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.append(...controls.map((control) => settingSlider(control, store)), machinesOf(store));
  return form;
}

function settingSlider(control: SettingControl, store: Store): HTMLElement {
  const { name } = control;
  const choices = { limit: settingLimit(name), resets: !always.includes(name) };
  const { element, show } = sliderOf(control, choices, (value) => {
    const { [name]: _, ...others } = store.state.settings;
    store.set({ settings: (value === undefined ? others : { ...others, [name]: value }) as Settings });
  });
  store.on(['settings', 'drawings'], ({ settings }) => show(settings[name], valueInFile(name, store)));
  return element;
}

/** The value in the file, where a slider stands while it is not moved. */
function valueInFile(name: SettingControl['name'], { state }: Store): number | undefined {
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
