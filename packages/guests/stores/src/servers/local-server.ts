/** The part of an engine that starts its server on this machine (`<engine>/server.ts`). */
import type { Recipe } from './recipe.ts';

export interface ServerModule {
  /** How to install a server on this machine: an imperative for a hint. */
  readonly installation: string;
  /** The preferred one of the installed servers; undefined without any. */
  findServer(): Promise<LocalServer | undefined>;
}

export interface LocalServer {
  /** Name of the product: never that of another product with the same protocol. */
  product: string;
  /** Its program, which prints its version with `--version` unless `version` is present. */
  program: string;
  version?: string;
  /** Its origin, printed after product and version in a line of `doctor`. */
  place: string;
  /** As topo-bench starts it, it has no transactions. Default: false. */
  withoutTransactions?: boolean;
  recipe(): Recipe;
}
