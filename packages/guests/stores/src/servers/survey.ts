/** The servers available for stores on this machine, without starting any: shown by `doctor`. */
import { type StoreEngine, storeEngines } from '@topo-bench/core';
import { programOutput } from '@topo-bench/host';
import { engines } from '../engines.ts';
import { namedServer, urlVariable, withoutPasswords } from './connection-strings.ts';
import type { ServerModule } from './local-server.ts';
import { describeFailure, pingFailure } from './ping.ts';

export interface StoreChoice {
  engine: StoreEngine;
  /** Form of the engine's data. */
  keeps: string;
  /**
   * The server that a run would use, without passwords: its address, or product, version and place; undefined without
   * one.
   */
  found: string | undefined;
  /** Why a run could not use it. */
  problem: string | undefined;
  /** Variable for a user-supplied server. */
  variable: string;
  /** How to install one. */
  installation: string;
  /** Image of one, for a machine with a container engine. Undefined: there is none. */
  image: string | undefined;
}

export function surveyStores(): Promise<StoreChoice[]> {
  return Promise.all(
    storeEngines.map(async (engine) => {
      const server = await engines[engine].server();
      const found = (await ofVariable(engine)) ?? { found: await onMachine(server), problem: undefined };
      const { keeps, image } = engines[engine];
      return {
        engine,
        keeps,
        ...found,
        variable: urlVariable(engine),
        installation: server.installation,
        image: image?.example,
      };
    }),
  );
}

type Found = Pick<StoreChoice, 'found' | 'problem'>;

/** @returns undefined when the variable is not set */
async function ofVariable(engine: StoreEngine): Promise<Found | undefined> {
  try {
    const named = namedServer(engine);
    if (!named) return undefined;
    const found = `${withoutPasswords(named.url)} (${named.source})`;
    const refusal = await pingFailure(engine, named.url);
    return { found, problem: refusal && (await describeFailure(engine, named.url, refusal)).text };
  } catch (error) {
    return { found: urlVariable(engine), problem: (error as Error).message };
  }
}

async function onMachine({ findServer }: ServerModule): Promise<string | undefined> {
  const server = await findServer();
  if (!server) return undefined;
  const version = server.version ?? (await versionOf(server.program));
  return `${server.product}${version === undefined ? '' : ` ${version}`}${server.place}`;
}

/** e.g. `10.11.14-MariaDB-0`, from the output of `--version`. */
async function versionOf(path: string): Promise<string | undefined> {
  // The output may begin with the path of the program, which can contain digits.
  return /(?<![\w./-])v?=?(\d+\.\d+[\w.-]*)/.exec((await programOutput(path, ['--version'])) ?? '')?.[1];
}
