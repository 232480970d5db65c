/** A button that starts a job of the server, with its progress, its end in words, and Cancel. */
import { announce, h } from './element.ts';
import { sentence } from './sentence.ts';
import type { JobEvent } from './server-api.ts';
import type { PageState, Store } from './store.ts';

export interface Job {
  label: string;
  /** Path on the server. */
  path: string;
  /** Called at the start of each job. */
  body(): object;
  /** Takes every event but progress and failures. @returns what is announced */
  take(event: JobEvent): Promise<string> | string;
  /** Whether it can start, next to a server that answers; default: yes. */
  canStart?(state: PageState): boolean;
}

export interface JobControl {
  /** Button, Cancel and progress. */
  fields: HTMLElement[];
  status: HTMLElement;
}

export function jobControl(store: Store, { label, path, body, take, canStart = () => true }: Job): JobControl {
  const button = h('button', { type: 'button', class: 'primary' }, label);
  const cancel = h('button', { type: 'button', hidden: true }, 'Cancel');
  const bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': `Progress: ${label}` });
  const status = h('p', { class: 'job-status', role: 'status' });
  let controller: AbortController | undefined;

  const run = async (): Promise<void> => {
    controller = new AbortController();
    show(true);
    status.textContent = 'starting …';
    const results: string[] = [];
    try {
      for await (const event of eventsOf(path, body(), controller.signal)) {
        if (event.kind === 'failed') throw new Error(sentence(event));
        if (event.kind !== 'progress') {
          results.push(await take(event));
          status.textContent = results.join(' ');
          announce(status.textContent);
          continue;
        }
        const { text, share, remainingSeconds } = event;
        if (share !== undefined) bar.value = share;
        const left = remainingSeconds === undefined ? '' : `, about ${Math.round(remainingSeconds)} s left`;
        status.textContent = [...results, `${text}${left}`].join(' ');
      }
    } catch (error) {
      const why = controller.signal.aborted ? 'cancelled: the server tears down what it started' : reasonOf(error);
      status.textContent = [...results, why].join(' ');
    } finally {
      show(false);
    }
  };
  const show = (isRunning: boolean): void => {
    bar.hidden = !isRunning;
    cancel.hidden = !isRunning;
    button.hidden = isRunning;
    if (isRunning) cancel.focus();
    else if (document.activeElement === document.body) button.focus();
  };
  button.addEventListener('click', () => void run());
  cancel.addEventListener('click', () => controller?.abort());
  store.on(['alive', 'problems'], (state) => {
    button.disabled = !state.alive || !canStart(state);
  });
  return { fields: [button, cancel, bar], status };
}

async function* eventsOf(path: string, body: object, signal: AbortSignal): AsyncGenerator<JobEvent> {
  const response = await fetch(path, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal },
  });
  if (!response.ok || !response.body) throw new Error(sentence((await response.json()) as { message: string }));
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as JobEvent;
    if (done) return;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'the server of the workshop does not answer: it has ended, or was stopped';
  return error instanceof Error ? error.message : String(error);
}
