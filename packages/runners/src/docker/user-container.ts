/**
 * A user-supplied image as a container next to its role. It runs with the user, rights and command of its image. No
 * port is published: other containers of the run reach it, and it refuses calls without the token.
 */
import { type Engine, type ImageRequest, requireImage } from '@topo-bench/containers';
import { type RolePlan, userHostOf, userImageEnvironment } from '@topo-bench/deployment';
import type { ContainerCreateOptions } from 'dockerode';
import type { RoleLog } from '../role-log.ts';
import { type ContainerPlace, limitOptions } from './container-options.ts';
import { WatchedContainer } from './watched-container.ts';

export type UserImagePlan = RolePlan & Required<Pick<RolePlan, 'userImage'>>;

export function hasUserImage(plan: RolePlan): plan is UserImagePlan {
  return plan.userImage !== undefined;
}

/** Pulls the images that the engine lacks. @throws TopoBenchError `TB_ENGINE_NO_IMAGE` */
export async function requireUserImages(
  engine: Engine,
  roles: readonly RolePlan[],
  request?: ImageRequest,
): Promise<void> {
  for (const { name, userImage } of roles.filter(hasUserImage)) {
    const hint = `build or pull it, or correct \`image\` of "${name}" in the topology`;
    await requireImage(engine, userImage.image, hint, request);
  }
}

export class UserContainer extends WatchedContainer {
  protected override readonly isOfUser = true;
  readonly #plan: UserImagePlan;

  constructor(engine: Engine, plan: UserImagePlan, log: RoleLog) {
    super(engine, plan.name, log, plan.limits);
    this.#plan = plan;
  }

  /** @param token of the role; the service answers 401 to calls without it */
  start(token: string, place: Omit<ContainerPlace, 'image'>): Promise<void> {
    return this.run(userContainerOptions(this.#plan, token, place));
  }
}

/** Max processes and threads of an image of a user. */
const maxProcesses = 4096;

function userContainerOptions(
  { name, userImage, limits }: UserImagePlan,
  token: string,
  { name: containerName, network, labels, cpuSet }: Omit<ContainerPlace, 'image'>,
): ContainerCreateOptions {
  return {
    name: containerName,
    Image: userImage.image,
    Env: Object.entries(userImageEnvironment(userImage, token)).map(([variable, value]) => `${variable}=${value}`),
    Labels: { ...labels },
    // Its role checks it. A check of the engine would start a process every few seconds, also during measurements.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: network,
      SecurityOpt: ['no-new-privileges'],
      // No server needs these; the others stay, since entrypoints change users and owners.
      CapDrop: ['NET_RAW', 'MKNOD', 'SETFCAP'],
      PidsLimit: maxProcesses,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '16m' } },
      ...limitOptions(limits, cpuSet),
    },
    NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: [userHostOf(name)] } } },
  };
}
