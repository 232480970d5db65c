/** The part of an engine that knows how to run its server on this machine (`<engine>/server.ts`). */
import type { Recipe } from './recipe.ts';

export interface ServerModule {
  /** How to get a server onto this machine: an imperative for a hint. */
  readonly installation: string;
  /** The preferred server of those that are installed; undefined when none is. */
  findServer(): Promise<LocalServer | undefined>;
}

export interface LocalServer {
  /** A server that speaks the protocol of another product is never called by that name. */
  product: string;
  /** Program that prints its version with `--version`. */
  program: string;
  /** Where it comes from, as it follows product and version in a line of `doctor`. */
  place: string;
  recipe(): Recipe;
}
