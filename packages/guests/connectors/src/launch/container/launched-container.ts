/** One program as a container. Its files are in a volume, which no answer of the engine shows. */
import { type Engine, engineAnswerMs, engineFailure, isGone, tarOf, withinDeadline } from '@topo-bench/containers';
import { TopoBenchError } from '@topo-bench/core';
import { documentsFolder } from '@topo-bench/deployment';
import { findCgroup, readProcessUsage } from '@topo-bench/host';
import { confinement, type RunNetwork, roleUser } from '@topo-bench/runners/docker';
import type { Container, ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import type { LaunchedProgram, LaunchMarks, ProgramEnd, ProgramLaunch, ProgramUsage } from '../launcher.ts';
import { MeteredOutput } from '../metered-output.ts';
import { standardOutput } from './stream-frames.ts';

export interface ContainerPlace {
  name: string;
  image: string;
  network: RunNetwork;
  labels: Readonly<Record<string, string>>;
  /** Files of this machine: paths in the container by path here. */
  mounted: ReadonlyMap<string, string>;
}

const graceS = 1;
const maxErrorLines = 20;
const outOfMemoryExit = 137;

export class LaunchedContainer implements LaunchedProgram {
  readonly marks: LaunchMarks;
  /** Resolves when the container has been removed. */
  readonly removed: Promise<void>;
  readonly #engine: Engine;
  readonly #place: ContainerPlace;
  readonly #launch: ProgramLaunch;
  #gone: () => void = () => undefined;
  #container: Container | undefined;
  #info: ContainerInspectInfo | undefined;
  #stream: NodeJS.ReadableStream | undefined;
  #output: MeteredOutput | undefined;
  #ended: Promise<ProgramEnd> | undefined;
  #starting: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #errorText = '';

  readonly #answerMs: number;

  /** @param answerMs how long the engine may take to answer each request */
  constructor(
    engine: Engine,
    place: ContainerPlace,
    launch: ProgramLaunch,
    marks: LaunchMarks,
    answerMs: number = engineAnswerMs,
  ) {
    this.#answerMs = answerMs;
    this.#engine = engine;
    this.#place = place;
    this.#launch = launch;
    this.marks = marks;
    this.removed = new Promise((resolve) => {
      this.#gone = resolve;
    });
  }

  get output(): MeteredOutput {
    if (!this.#output) throw notStarted(this.#place.name);
    return this.#output;
  }

  get ended(): Promise<ProgramEnd> {
    if (!this.#ended) throw notStarted(this.#place.name);
    return this.#ended;
  }

  get hosts(): { fromHere: string; fromPrograms: string } {
    const { network, name } = this.#place;
    const address = this.#info?.NetworkSettings.Networks[network.name]?.IPAddress ?? '';
    return { fromHere: address, fromPrograms: name };
  }

  /** @throws TopoBenchError `TB_ENGINE_FAILED`, `TB_RUNNER_NO_RESOURCES`; the reason of the signal */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  begin(): void {
    (this.#stream as NodeJS.ReadWriteStream | undefined)?.write('\n');
  }

  async usage(): Promise<ProgramUsage | undefined> {
    const pid = this.#info?.State.Pid;
    // An engine in a virtual machine reports process ids of that machine.
    if (!this.#engine.facts.local || !pid || !findCgroup(pid)?.path.includes(this.#info?.Id ?? '')) return undefined;
    return readProcessUsage(pid);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#remove();
    return this.#stopped;
  }

  async #start(): Promise<void> {
    const { name } = this.#place;
    const { files, signal } = this.#launch;
    try {
      // By its name, it can also be removed when the answer to its creation is late.
      this.#container = this.#engine.client.getContainer(name);
      const container = await this.#answered('create', (abortSignal) =>
        this.#engine.client.createContainer({ ...this.#options(), abortSignal }),
      );
      this.#container = container;
      this.marks.createdMs = performance.now();
      const archived = Object.entries(files).map(([path, content]) => ({ path, content, mode: 0o400, uid: roleUser }));
      const archive = await tarOf(archived);
      await this.#answered('copy the files of', (abortSignal) =>
        container.putArchive(archive, { path: documentsFolder, abortSignal }),
      );
      // Before the start, so that no byte is missed. Its input closes with this connection, and so ends the program.
      const attach = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
      const stream = await this.#answered('attach to', (abortSignal) => container.attach({ ...attach, abortSignal }));
      this.#stream = stream;
      const frames = standardOutput(stream as AsyncIterable<Buffer>, (text) => {
        this.#errorText = (this.#errorText + text).slice(-8192);
      });
      this.#output = new MeteredOutput(frames, this.marks);
      signal?.throwIfAborted();
      await this.#answered('start', (abortSignal) => container.start({ abortSignal }));
      this.marks.startedMs = performance.now();
      // After the start: the engine may begin to wait for a next exit only when a short program has already exited.
      const exit = container.wait({ condition: 'not-running' }) as Promise<{ StatusCode: number }>;
      this.#ended = this.#end(exit);
      this.#info = await this.#answered('inspect', (abortSignal) => container.inspect({ abortSignal }));
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof TopoBenchError ? error : engineFailure(`start the container ${name}`, error);
    }
  }

  /** @param verb what the engine does to the container */
  #answered<Answer>(verb: string, request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    return withinDeadline(`${verb} the container ${this.#place.name}`, request, this.#answerMs);
  }

  #options(): ContainerCreateOptions {
    const { name, image, network, labels, mounted } = this.#place;
    const { program, args, held } = this.#launch;
    const flags = ['--until-input-ends', ...(held ? ['--after-input-line'] : [])];
    const confined = confinement(labels);
    return {
      name,
      Image: image,
      Entrypoint: ['node'],
      Cmd: [`/app/${program}.js`, ...args((file) => `${documentsFolder}/${file}`), ...flags],
      User: `${roleUser}:${roleUser}`,
      Labels: { ...labels },
      Healthcheck: { Test: ['NONE'] },
      OpenStdin: true,
      StdinOnce: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      HostConfig: {
        NetworkMode: network.name,
        ...confined,
        Mounts: [
          ...confined.Mounts,
          ...[...mounted].map(([Source, Target]) => ({ Type: 'bind' as const, Source, Target, ReadOnly: true })),
        ],
        // All output is read here. A log would be a second copy of each row on the disk of the engine.
        LogConfig: { Type: 'none', Config: {} },
      },
    };
  }

  async #end(exit: Promise<{ StatusCode: number }>): Promise<ProgramEnd> {
    const exitCode = await exit.then(
      ({ StatusCode }) => StatusCode,
      () => null,
    );
    this.marks.endedMs = performance.now();
    await this.output.consumed;
    const errorLines = this.#errorText.split('\n').filter(Boolean).slice(-maxErrorLines);
    const description =
      exitCode === null
        ? 'was removed'
        : exitCode === outOfMemoryExit
          ? 'was killed'
          : `ended with exit code ${exitCode}`;
    return { exitCode, description, errorLines, ...this.output.summary() };
  }

  async #remove(): Promise<void> {
    // The engine finishes a request that it has begun: a container that it creates now would be left behind.
    await this.#starting?.catch(() => undefined);
    const container = this.#container;
    if (container) {
      await this.#answered('stop', (abortSignal) => container.stop({ t: graceS, abortSignal })).catch(() => undefined);
      const remove = (abortSignal: AbortSignal) => container.remove({ force: true, v: true, abortSignal });
      await this.#answered('remove', remove).catch((error: unknown) => {
        if (isGone(error)) return;
        throw error instanceof TopoBenchError
          ? error
          : engineFailure(`remove the container ${this.#place.name}`, error);
      });
    }
    (this.#stream as { destroy?: () => void } | undefined)?.destroy?.();
    this.#output?.abandon();
    this.#gone();
  }
}

function notStarted(name: string): Error {
  return new Error(`the container ${name} has not started`);
}
