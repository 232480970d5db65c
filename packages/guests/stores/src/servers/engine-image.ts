/** The contract of an engine's official container image: how its server gets its first user, and where it listens. */
export interface EngineImage {
  /** Current official image, for hints and documentation. */
  example: string;
  /** Port of the server in the container. */
  port: number;
  /** Images whose server has no transactions as topo-bench starts it. Absent: none. */
  withoutTransactions?: RegExp;
  /** Max time of a first start, which creates the data. */
  readyTimeoutMs: number;
  access(password: string): ImageAccess;
  /** Connection string for a user who may create and drop databases. */
  url(host: string, port: number, password: string): string;
}

/** How a container gets the password: in a file, because an engine shows the environment of every container. */
export interface ImageAccess {
  /** Environment of the container; it names the file. */
  env: Readonly<Record<string, string>>;
  /** Replaces the command of the image. */
  command?: readonly string[];
  /** Content of `accessFile`. */
  file: string;
}

/** Path in the container of the file with the password. */
export const accessFile = '/topo-bench/access.conf';
