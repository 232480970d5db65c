/** The network of one run on an engine, and how this process reaches the containers on it. */
import { type Engine, engineFailure, isGone, withinDeadline } from '@topo-bench/containers';
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

/** @throws TopoBenchError `TB_RUNNER_NO_RESOURCES` without a free range of addresses, `TB_ENGINE_FAILED` */
export async function createNetwork(
  engine: Engine,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<RunNetwork> {
  try {
    const options = { Name: name, Driver: 'bridge', Labels: { ...labels } };
    const network = await withinDeadline(`create the network ${name}`, () => engine.client.createNetwork(options));
    const remove = (): Promise<void> =>
      withinDeadline(`remove the network ${name}`, () => network.remove()).catch((error: unknown) => {
        if (!isGone(error)) throw engineFailure(`remove the network ${name}`, error);
      });
    try {
      const { IPAM } = await withinDeadline(`inspect the network ${name}`, () => network.inspect());
      const gateways: string[] = (IPAM?.Config ?? []).flatMap(({ Gateway }) => Gateway ?? []);
      return { name, direct: await isDirect(engine, gateways), remove };
    } catch (error) {
      await remove().catch(() => undefined);
      throw error;
    }
  } catch (error) {
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
