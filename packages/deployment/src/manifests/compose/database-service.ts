/** The entries of database servers in `docker-compose.yml`, and of the container that fills their stores. */
import type { Graph } from '@topo-bench/topology';
import { documentsFolder } from '../../deployment-documents.ts';
import { mounted, otherImageBounds } from './role-service.ts';

export interface ComposeDatabase {
  /** Name of its service, and thus its host name. */
  host: string;
  image: string;
  /** Names the file with the password; contains no secret. */
  env: Readonly<Record<string, string>>;
  /** Replaces the command of the image. */
  command?: readonly string[];
  /** Path in the container of the file with the password. */
  accessFile: string;
}

/** Files in `secrets/`. */
export const databasePaths = {
  access: (host: string) => `secrets/${host}.conf`,
  /** The stores to fill. */
  stores: 'secrets/stores.json',
} as const;

export interface NamedService {
  name: string;
  settings: object;
  comment: string;
  /** Whether it has the settings that all roles share. */
  isRole: boolean;
}

/** The dot keeps it apart from host names of roles. */
const fillerName = 'db.prepare';

/** For a service that keeps data: it starts when its store is filled. */
export const dependsOnStores = { depends_on: { [fillerName]: { condition: 'service_completed_successfully' } } };

export function databaseServices(databases: readonly ComposeDatabase[], { services }: Graph): NamedService[] {
  if (services.every(({ persistence }) => !persistence)) return [];
  return [...databases.map(serverService), fillerService(databases)];
}

function serverService({ host, image, env, command, accessFile }: ComposeDatabase): NamedService {
  const settings = {
    image,
    ...(Object.keys(env).length > 0 && { environment: env }),
    ...(command && { command }),
    ...otherImageBounds,
    volumes: [mounted(databasePaths.access(host), accessFile)],
  };
  return {
    name: host,
    settings,
    comment: 'database server; its data goes with: docker-compose down -v',
    isRole: false,
  };
}

/** Waits for the servers itself: each image has another health check. */
function fillerService(databases: readonly ComposeDatabase[]): NamedService {
  const target = `${documentsFolder}/stores.json`;
  const settings = {
    entrypoint: ['node', '/app/prepare-stores.js'],
    command: [target],
    healthcheck: { disable: true },
    depends_on: databases.map(({ host }) => host),
    volumes: [mounted(databasePaths.stores, target)],
  };
  return { name: fillerName, settings, comment: 'fills the stores anew at every start, then ends', isRole: true };
}
