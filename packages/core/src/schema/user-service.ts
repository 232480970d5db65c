/**
 * Fields of a user-supplied service: a command that topo-bench starts, a URL where it already runs, or an image. It
 * runs behind any enforcement architecture like a generated service. docs/methodology.md describes its requests.
 */
import { z } from 'zod';
import { duration } from './quantities.ts';

const path = z.string().regex(/^\/[^\s#]*$/, 'expected a path that starts with "/"');

/** `env NAME`: a port chosen by topo-bench, passed in that variable. A number: the port that the service listens on. */
const port = z
  .union([
    z.int().min(1).max(65_535),
    z.string().regex(/^env [A-Za-z_][A-Za-z0-9_]*$/, 'expected a port, or `env` and the name of a variable: env PORT'),
  ])
  .transform((value) => (typeof value === 'number' ? value : { env: value.slice('env '.length) }));

/** A string instead of `z.url()`: the check of the topology reports an invalid URL with a hint. */
export const userServiceFields = {
  command: z
    .string()
    .min(1)
    .optional()
    .meta({
      description: 'Your own service: the command line that starts it, run by the shell.',
      examples: ['node server.js'],
    }),
  url: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Your own service that already runs; requests are posted to this URL.' }),
  image: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Your own service as a container image; needs a container runner.' }),
  port: port.optional().meta({
    description:
      'Port that your command or image listens on: `env PORT` (default) passes a free port in that variable, to an image 8080; a number is its fixed port.',
  }),
  path: path
    .optional()
    .meta({ description: 'Path that requests are posted to; default `/`. Not with `url`, which has its own.' }),
  health: path.optional().meta({
    description:
      'Path whose `GET` answers 2xx once your service is ready. Left out: ready when it accepts connections.',
  }),
  readyWithin: duration
    .refine((us) => us > 0, 'expected more than nothing, e.g. 10s')
    .optional()
    .meta({ description: 'Max time until ready; default 10s.' }),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .meta({
      description:
        'Environment variables of the command, in addition to those of topo-bench itself, or of the image. Their values are not stored with results.',
    }),
  cwd: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Working directory of the command, relative to the topology file; default: its folder.' }),
};

/** The user-supplied service, with defaults. */
export type UserService = UserCommand | UserUrl | UserImage;

interface Common {
  /** Path of requests, sent by POST. */
  path: string;
  /** Path of the health check; absent: ready once it accepts connections. */
  health?: string;
  readyWithinUs: number;
}

export interface UserCommand extends Common {
  kind: 'command';
  command: string;
  /** A fixed port, or the variable that passes a free one. */
  port: number | { env: string };
  env: Record<string, string>;
  /** Folder of the topology file, or its replacement. */
  baseDir: string;
  /** Relative to `baseDir`, or absolute. */
  cwd: string;
}

export interface UserUrl extends Common {
  kind: 'url';
  /** Scheme, host and port. */
  origin: string;
}

export interface UserImage extends Common {
  kind: 'image';
  image: string;
  /** A fixed port, or the variable that passes one. */
  port: number | { env: string };
  /** Variables of the container; empty in the configuration of its role. */
  env: Record<string, string>;
  /** Scheme, host and port of its container; set in the configuration of its role. */
  origin?: string;
}
