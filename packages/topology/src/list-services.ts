/** Lists the services of a file: explicit ones unchanged, generated ones as `prefix-1`, `prefix-2`, … */
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { Limits } from '@topo-bench/core/schema/limits';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import type { GeneratedRules, TopologyFile, Work } from '@topo-bench/core/schema/topology';
import type { UserService } from '@topo-bench/core/schema/user-service';
import { userServiceOf } from './user-service.ts';

/** A service before it is placed. */
export interface ListedService {
  name: string;
  /** Index of its entry in the file's `services`. */
  entry: number;
  node: string | undefined;
  work: Work;
  responseBytes: number;
  tags: string[];
  /** Absent without limits. */
  limits?: Limits;
  /** Absent where none are generated. */
  rules?: GeneratedRules;
  persistence?: Persistence;
  alternative: boolean;
  arrow?: ArrowService;
  user?: UserService;
}

/** topo-bench does no work for a user-supplied service. Its work has kind `wait`. */
const noWork: Work = { law: 'constant', meanUs: 0, kind: 'wait' };

/**
 * Returns services in file order. Missing fields come from `defaults`. A service's own tags and limits replace
 * those of `defaults`.
 * @param baseDir folder of the topology file; working directory for the commands of user-supplied services
 */
export function listServices(
  { services, defaults }: Pick<TopologyFile, 'services' | 'defaults'>,
  baseDir = '.',
): ListedService[] {
  return services.flatMap((service, entry): ListedService[] => {
    const rules = service.rules ?? defaults.rules;
    const common = {
      entry,
      work: service.work ?? defaults.work,
      responseBytes: service.responseSize ?? defaults.responseSize,
      tags: service.tags ?? defaults.tags,
      // topo-bench does not start a service that it knows by URL.
      ...knownLimits('url' in service && service.url !== undefined ? {} : (service.limits ?? defaults.limits)),
      ...(rules && { rules }),
      ...('persistence' in service && service.persistence && { persistence: service.persistence }),
    };
    if ('name' in service) {
      const { name, node, role } = service;
      const user = userServiceOf(service, baseDir);
      const own = user && { user, work: noWork, responseBytes: 0 };
      const { arrow } = service;
      return [{ ...common, ...own, name, node, alternative: role === 'alternative', ...(arrow && { arrow }) }];
    }
    return Array.from({ length: service.generate }, (_, i) => ({
      ...common,
      name: `${service.prefix}-${i + 1}`,
      node: undefined,
      alternative: false,
    }));
  });
}

/** The flow as a list of names. `chain` means all services except alternatives, in file order. */
export function flowItems(
  flow: TopologyFile['flow'],
  services: readonly ListedService[],
): Exclude<TopologyFile['flow'], 'chain'> {
  return flow === 'chain' ? services.filter(({ alternative }) => !alternative).map(({ name }) => name) : flow;
}

/** Limits of processes that topo-bench starts. `{}` sets no limit; a service lifts those of `defaults` with it. */
export function knownLimits(limits: Limits | undefined): { limits?: Limits } {
  return limits && Object.keys(limits).length > 0 ? { limits } : {};
}
