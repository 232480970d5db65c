/** The network of one run on an engine, and how this process reaches the containers on it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, engineAnswerMs, engineFailure, isGone, withinDeadline } from '@topo-bench/containers';
import { isOwnAddress } from '@topo-bench/host';

export interface RunNetwork {
  name: string;
  /**
   * Whether this process reaches the addresses of containers themselves. Otherwise their ports are published, and the
   * engine may forward each byte through a process of its own.
   */
  direct: boolean;
  remove(): Promise<void>;
}

/** How long after its deadline the creation of a network may still be answered. */
const lateAnswerMs = 30_000;

/**
 * Leaves no network behind when it fails.
 * @param answerMs how long the engine may take to answer each request
 * @throws TopoBenchError `TB_RUNNER_NO_RESOURCES` without a free range of addresses, `TB_ENGINE_FAILED`
 */
export async function createNetwork(
  engine: Engine,
  name: string,
  labels: Readonly<Record<string, string>>,
  answerMs: number = engineAnswerMs,
): Promise<RunNetwork> {
  const { client } = engine;
  const answered = <Answer>(verb: string, request: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> =>
    withinDeadline(`${verb} the network ${name}`, request, answerMs);
  // By its name, as there may be no answer to its creation.
  const remove = (): Promise<void> =>
    answered('remove', (abortSignal) => client.getNetwork(name).remove({ abortSignal })).catch((error: unknown) => {
      if (!isGone(error)) throw engineFailure(`remove the network ${name}`, error);
    });
  // Without a signal: the engine would finish the creation anyway, and its end would be unknown.
  const creation = client.createNetwork({ Name: name, Driver: 'bridge', Labels: { ...labels } });
  const refused = creation.then(
    () => false,
    ({ statusCode }: { statusCode?: number }) => statusCode !== undefined,
  );
  try {
    const network = await answered('create', () => creation);
    const { IPAM } = await answered('inspect', () => network.inspect());
    const gateways: string[] = (IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway ?? []);
    return { name, direct: await isDirect(engine, gateways), remove };
  } catch (error) {
    const late = sleep(lateAnswerMs, false, { ref: false });
    if (!(await Promise.race([refused, late]))) await remove().catch(() => undefined);
    throw engineFailure(`create the network ${name}`, error);
  }
}

/**
 * The gateway of a bridge is an address of its host. Podman creates the bridge with the first container. A rootless
 * engine has its bridges in a network namespace of its own.
 */
async function isDirect({ facts }: Engine, gateways: readonly string[]): Promise<boolean> {
  if (!facts.local || facts.rootless) return false;
  if (facts.product === 'Podman') return true;
  return (await Promise.all(gateways.map(isOwnAddress))).includes(true);
}
