/** The port of launchers: where load generators run, and how the coordinator reaches them. */
import type { Wakefulness } from '@topo-bench/host';
import type { FromGenerator, LoadPart, ToGenerator } from '../generator/messages.ts';

export interface Launcher {
  /**
   * Starts one generator for each part; resolves when all accept messages.
   * @returns links in the order of the parts
   */
  launch(parts: readonly LoadPart[]): Promise<GeneratorLink[]>;
  /** Keeps the cores of the generators' hosts from sleeping; undefined where a host does not allow it. */
  keepAwake(): Promise<Wakefulness | undefined>;
}

/** A running generator. Messages arrive whole and in order until the link ends. */
export interface GeneratorLink {
  /** Must be called once, before the first message is sent. */
  listen(listener: LinkListener): void;
  send(message: ToGenerator): void;
  /**
   * Gives threads of the generator real-time priority on its host.
   * @param threads kernel ids; undefined: all
   * @returns whether the host allowed it
   */
  prioritise(threads: readonly number[] | undefined): Promise<boolean>;
  /** Ends the generator at once. Resolves when it has ended; may be called again. */
  end(): Promise<void>;
}

export interface LinkListener {
  onMessage(message: FromGenerator): void;
  /** Called when the generator ends before `end`, with the reason and its last lines of output. */
  onDeath(reason: string, lines: readonly string[]): void;
}
