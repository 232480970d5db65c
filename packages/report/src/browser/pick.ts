/** A choice of one option above a drawing, kept when the figure is drawn again. */

/**
 * @param options those of the current filters
 * @param preferred the first choice; default: the first option
 * @param changed called when the reader chooses another one
 * @returns the chosen option; undefined without options
 */
export function pick(
  figure: HTMLElement,
  options: readonly string[],
  preferred: string | undefined,
  changed: () => void,
): string | undefined {
  const known = figure.querySelector('select');
  const select = known ?? created(figure, changed);
  const before = known?.value ?? preferred ?? '';
  select.replaceChildren(...options.map((option) => new Option(option)));
  if (options.includes(before)) select.value = before;
  (select.parentElement as HTMLElement).hidden = options.length === 0;
  return options.length === 0 ? undefined : select.value;
}

function created(figure: HTMLElement, changed: () => void): HTMLSelectElement {
  const [label, select] = [document.createElement('label'), document.createElement('select')];
  label.className = 'pick';
  label.append('Show ', select);
  figure.querySelector('.drawing')?.before(label);
  select.addEventListener('change', changed);
  return select;
}
