/** One request on its way: a dot that follows the messages of a request that every rule allows. */
import type { Drawing } from '@topo-bench/core/drawing';
import { svg } from '../element.ts';
import type { Diagram } from './draw.ts';
import { type Box, middleOf } from './layout.ts';

const hopMs = 420;
const maxTravelMs = 14_000;

const verbs = { pass: 'passes the request on to', call: 'calls', report: 'reports to' } as const;

export class Travel {
  #at = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly drawing: Drawing,
    private readonly diagram: Diagram,
    private readonly say: (text: string) => void,
  ) {}

  /** From the start to the end; again: stops. */
  play(): void {
    if (this.#timer !== undefined) {
      this.stop();
      return;
    }
    this.#at = -1;
    const { hops } = this.drawing;
    const ms = Math.min(hopMs, maxTravelMs / Math.max(1, hops.length));
    const next = (): void => {
      if (this.step()) this.#timer = setTimeout(next, ms);
      else this.stop();
    };
    next();
  }

  /** @returns whether there was another hop */
  step(): boolean {
    const { hops } = this.drawing;
    const hop = hops[++this.#at];
    if (!hop) {
      this.#at = -1;
      this.say(`${hops.length} hops: the request is done`);
      this.#show(undefined);
      return false;
    }
    this.say(`hop ${this.#at + 1} of ${hops.length}: ${hop.from} ${verbs[hop.kind]} ${hop.to}`);
    this.#show(hop);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#show(undefined);
  }

  #show(hop: Drawing['hops'][number] | undefined): void {
    const { element } = this.diagram;
    const [line, top] = [element.querySelector('.travel'), element.querySelector('.travel-top')];
    const [from, to] = [hop && this.#boxOf(hop.from), hop && this.#boxOf(hop.to)];
    if (!from || !to) {
      line?.replaceChildren();
      top?.replaceChildren();
      return;
    }
    const [a, b] = [middleOf(from), middleOf(to)];
    // At the corners: names stay readable.
    const [start, end] = [cornerOf(from), cornerOf(to)];
    const dot = svg('circle', { r: 6, class: 'request', cx: end.x, cy: end.y });
    line?.replaceChildren(svg('path', { d: `M${a.x} ${a.y}L${b.x} ${b.y}`, class: 'hop' }));
    top?.replaceChildren(dot);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    dot.animate([{ transform: `translate(${start.x - end.x}px,${start.y - end.y}px)` }, { transform: 'none' }], {
      duration: hopMs * 0.8,
      easing: 'ease-in-out',
    });
  }

  #boxOf(role: string): Box | undefined {
    const { services, roles, lanes } = this.diagram.layout;
    const lane = lanes.find(({ node }) => node === this.drawing.services.find(({ name }) => name === role)?.node);
    return services.get(role) ?? roles.get(role) ?? lane;
  }
}

function cornerOf({ x, y, width }: Box): { x: number; y: number } {
  return { x: x + width, y };
}
