/**
 * The containers of user-supplied images in `docker-compose.yml`, next to their roles. Each runs with the user, rights
 * and command of its image.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan, RolePlan } from '../../deployment-plan.ts';
import { hostNameOf, userHostOf } from '../../host-name.ts';
import { type RoleSecretOptions, roleSecrets } from '../../role-secrets.ts';
import { userImageEnvironment } from '../../user-image.ts';
import type { ManifestFile } from '../manifest-file.ts';
import type { NamedService } from './database-service.ts';
import { limitSettings, otherImageBounds } from './role-service.ts';

/** Variables with the token and the values of the topology, which may be secret. */
const environmentPath = (role: string) => `secrets/${hostNameOf(role)}.env`;

export function userImageServices({ roles }: DeploymentPlan): NamedService[] {
  return roles.flatMap(({ name, userImage, limits }): NamedService[] => {
    if (!userImage) return [];
    const settings = {
      image: userImage.image,
      env_file: `./${environmentPath(name)}`,
      ...otherImageBounds,
      ...limitSettings(limits),
    };
    return [{ name: userHostOf(name), settings, comment: `your image of ${name}`, isRole: false }];
  });
}

/** @throws TopoBenchError `TB_GENERATE_UNSUPPORTED` for values that no file of variables can hold */
export function userImageSecrets(options: RoleSecretOptions): ManifestFile[] {
  return options.plan.roles.flatMap((role): ManifestFile[] => {
    if (!role.userImage) return [];
    const variables = userImageEnvironment(role.userImage, roleSecrets(role, options).token);
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(role, name, value)}\n`);
    return [{ path: environmentPath(role.name), text: lines.join('') }];
  });
}

/** In single quotes: the plugin replaces variables in other texts, and docker-compose 1.29 replaces `${…}` in all. */
function quoted({ name: role }: RolePlan, variable: string, value: string): string {
  if (!/['\\\r\n]|\$\{/.test(value)) return `'${value}'`;
  const message = `${role}: the value of \`env.${variable}\` has a quote, a backslash, a line break or \`\${\``;
  const hint = 'files of variables of Compose cannot hold it: let the service read it from a file of its image';
  throw new TopoBenchError('TB_GENERATE_UNSUPPORTED', message, { hint });
}
