/** A slider with a number field, and a way back to the value of the file. */
import { announce, h } from './element.ts';

export interface Control {
  name: string;
  label: string;
  unit: string;
  min: number;
  max: number;
  /** Logarithmic sliders cover orders of magnitude. */
  log?: true;
  step?: number;
}

export interface Slider {
  element: HTMLElement;
  /**
   * @param value undefined: that of the file
   * @param inFile undefined where the file has none
   */
  show(value: number | undefined, inFile?: number): void;
}

const positions = 1000;

/**
 * @param limit the largest value of the field
 * @param marked values with a mark
 * @param resets whether the value can be that of the file
 * @param set called with the chosen value; undefined: that of the file
 */
export function sliderOf(
  control: Control,
  { limit, marked = [], resets }: { limit: number; marked?: readonly number[]; resets: boolean },
  set: (value: number | undefined) => void,
): Slider {
  const { name, label, unit, min } = control;
  const id = `set-${name}`;
  const marks = h(
    'datalist',
    { id: `${id}-marks` },
    ...marked.map((value) => h('option', { value: positionOf(control, value) })),
  );
  const list = marked.length > 0 && marks.id;
  const slider = h('input', { type: 'range', min: 0, max: positions, 'aria-label': `${label}, slider`, list });
  const field = h('input', { id, type: 'number', min, max: limit, step: 'any' });
  const reset = h('button', { type: 'button', class: 'link', 'aria-label': `${label}: as in the file` }, 'as in file');
  let shown: () => void = () => undefined;
  slider.addEventListener('input', () => set(valueAt(control, Number(slider.value))));
  // A step of the keys is often less than a step of the value.
  slider.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const from = Number(slider.value);
    let to = from + by;
    while (to > 0 && to < positions && valueAt(control, to) === valueAt(control, from)) to += by;
    set(valueAt(control, Math.min(positions, Math.max(0, to))));
  });
  field.addEventListener('change', () => {
    const value = Number(field.value);
    if (field.value !== '' && value >= min && value <= limit) set(value);
    else {
      field.value = '';
      shown();
      announce(`${label}: from ${min} to ${limit}`);
    }
  });
  reset.addEventListener('click', () => set(undefined));
  const show: Slider['show'] = (value, inFile) => {
    shown = () => show(value, inFile);
    slider.value = String(positionOf(control, value ?? inFile ?? min));
    slider.setAttribute('aria-valuetext', `${value ?? inFile ?? 'nothing'} ${unit}`);
    if (document.activeElement !== field || value === undefined || field.value === '')
      field.value = value === undefined ? '' : String(value);
    field.placeholder = inFile === undefined ? 'none' : String(inFile);
    reset.hidden = value === undefined || !resets;
  };
  const element = h(
    'div',
    { class: 'control' },
    h('div', { class: 'control-head' }, h('label', { for: id }, label), reset),
    slider,
    list !== false && marks,
    h('div', { class: 'control-value' }, field, h('span', { class: 'unit' }, unit)),
  );
  return { element, show };
}

function valueAt({ min, max, log, step = 1 }: Control, position: number): number {
  const share = position / positions;
  if (!log) return Number((Math.round((min + share * (max - min)) / step) * step).toFixed(3));
  const value = min * (max / min) ** share;
  return value < 20 ? Math.round(value) : Number(value.toPrecision(2));
}

function positionOf({ min, max, log }: Control, value: number): number {
  const inside = Math.min(max, Math.max(min, value));
  const share = log ? Math.log(inside / min) / Math.log(max / min) : (inside - min) / (max - min);
  return Math.round(share * positions);
}
