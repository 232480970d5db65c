/**
 * The port of launches: starts one program in a process, container or pod, and returns its standard output as a stream
 * of bytes with time marks. A launcher may keep parts between launches, such as an image, a network or a namespace.
 */
import type { ReachedContainer, ServerReach } from '@topo-bench/core';

export const launchPlaces = ['process', 'container', 'pod'] as const;
export type LaunchPlace = (typeof launchPlaces)[number];

/**
 * Programs of the built folder: a source connector, the Flight server that converts the rows of one, and the Flight
 * server that reads columns itself.
 */
export const programs = ['connector', 'converter', 'exporter'] as const;
export type ProgramName = (typeof programs)[number];

export interface ProgramLaunch {
  program: ProgramName;
  /** @param pathOf path of one of `files` at the place of the program */
  args(pathOf: (file: string) => string): readonly string[];
  /**
   * Texts by file name (letters, digits, dots, hyphens). Only the program can read them. They are in no argument,
   * environment variable or answer of an engine, and thus may contain secrets.
   */
  files: Readonly<Record<string, string>>;
  /** The program waits for `begin` before its work. */
  held?: boolean;
  /** Ends the program. */
  signal?: AbortSignal;
}

/**
 * Readings of `performance.now()` of this process, in ms. An absent mark was not reached, or the place has no such
 * step.
 */
export interface LaunchMarks {
  requestedMs: number;
  /** The image was found, built or pulled. */
  imagePresentMs?: number;
  /** The container or the pod exists. */
  createdMs?: number;
  /** The place reported the program as started. */
  startedMs?: number;
  firstByteMs?: number;
  lastByteMs?: number;
  endedMs?: number;
}

/** Figures of a read that the program has served. */
export interface WorkFigures {
  /** Bytes that it read of the store, from the first row on; absent where the system does not count them. */
  storeBytes?: number;
  /** Bytes that a connector sent to a converter instead of standard output. */
  sentBytes?: number;
  /** Time in which a converter made record batches of rows, in µs. */
  conversionUs?: number;
}

/** Figures that the program measured of itself just before its end. */
export interface ProgramReport extends WorkFigures {
  /** Bytes of standard output before the line of this report. */
  outputBytes: number;
  /** User and system time. */
  cpuUs: number;
  /** Max resident set size. */
  maxRssBytes: number;
}

export interface ProgramEnd {
  /** Null when a signal ended it. */
  exitCode: number | null;
  /** The end as the predicate of a sentence, such as `ended with exit code 1`. */
  description: string;
  /** Last line of its output; absent when the program was killed or its output was truncated. */
  report?: ProgramReport;
  /** Bytes that arrived before the line of the report. */
  outputBytes: number;
  /** Message of the last TRACE error in the last 8 KiB of output. */
  failure?: string;
  /** Last lines of standard error, oldest first. */
  errorLines: readonly string[];
}

export interface LaunchedProgram {
  readonly marks: Readonly<LaunchMarks>;
  /**
   * Standard output, to be iterated once and to its end. A slow consumer slows the program down. The end of the
   * iteration does not show a success: see `requireWhole`.
   */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the program has ended and its output has been consumed, or after `stop`. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /**
   * Host at which this process reaches ports of the program, and at which other programs of the same launcher do.
   */
  readonly hosts: { fromHere: string; fromPrograms: string };
  /** Starts the work of a program that was launched as `held`. */
  begin(): void;
  /** CPU time and memory since the start, as counted by the host; undefined where the host does not report them. */
  usage(): Promise<ProgramUsage | undefined>;
  /**
   * Ends the program and removes its container or pod with its files. Resolves when it is gone; may be called again.
   */
  stop(): Promise<void>;
}

export interface ProgramUsage {
  cpuUs: number;
  rssBytes: number;
}

export interface LauncherOptions {
  /** Folder of the built command line tool. */
  builtFolder: string;
  /** Used as it is, instead of a built image. */
  image?: string;
  baseImage?: string;
  /** Context of the container engine or cluster. Default: the current one. */
  context?: string;
  /** Database servers in containers: they join the network of the programs. */
  servers?: readonly ReachedContainer[];
  onProgress?: (line: string) => void;
}

export interface Launcher {
  readonly place: LaunchPlace;
  /**
   * Checks that programs can be launched, before anything is created: the engine or cluster, rights, the image. Builds
   * a missing image, and loads it into a cluster where that is possible.
   * @returns the image that launchers of this place can use as it is; undefined without one
   * @param signal ends a build
   * @throws TopoBenchError `TB_NOT_BUILT`, `TB_ENGINE_*`, `TB_CLUSTER_*`; after an abort the reason of the signal, or
   * `TB_INTERRUPTED`
   */
  check(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Does in advance what all launches share: the image, a network or a namespace. Its duration is in no time mark.
   * `launch` works without it.
   * @throws TopoBenchError as `launch`
   */
  prepare(signal?: AbortSignal): Promise<void>;
  /** How the programs reach database servers on this machine. Creates nothing. */
  serverReach(): Promise<ServerReach>;
  /**
   * Path at which the programs read a file of this machine. Launches from now on have the file, read-only.
   * @throws TopoBenchError `TB_STORE_UNREACHABLE` where programs cannot read such a file
   */
  filePath(path: string): Promise<string>;
  /** The connection string of a store as the programs need it. Resolves after `prepare`. */
  storeUrl(url: string): Promise<string>;
  /**
   * Resolves when the program has started.
   * @throws TopoBenchError `TB_NOT_BUILT`, `TB_ENGINE_*`, `TB_CLUSTER_*`, `TB_ROLE_NOT_READY`; the reason of the signal
   */
  launch(launch: ProgramLaunch): Promise<LaunchedProgram>;
  /** Ends all programs and removes what the launches shared. May be called again. */
  close(): Promise<void>;
}
