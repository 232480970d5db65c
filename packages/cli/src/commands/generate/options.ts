/** `generate`: a topology as files that deploy it, for people to read, change and commit. */
import { type Command, Option } from 'commander';
import { collectAssignments, wholeNumber } from '../../option-values.ts';
import { type TargetName, targets } from './targets.ts';

const examples = `Examples:
  topo-bench generate quickstart --target compose --out deploy    a Compose project; then: cd deploy && docker-compose up -d
  topo-bench generate quickstart --target kubernetes --out deploy    a Kustomize project; then: kubectl apply -k deploy/base
  topo-bench generate quickstart --target local --out deploy         processes of this machine; then: node deploy/start.mjs
  topo-bench generate topology.yaml --target compose --out deploy --set architecture=central-entity
  topo-bench generate quickstart --target compose --out deploy --dry-run    lists the files that would change
  topo-bench generate quickstart --target compose --out deploy --build      also builds the image of the roles
`;

export interface GenerateFlags {
  target: TargetName;
  out: string;
  set?: [path: string, value: string][];
  image?: string;
  port?: number;
  build?: boolean;
  baseImage?: string;
  context?: string;
  force?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  const names = Object.entries(targets).map(([name, { description }]) => `${name}, ${description}`);
  command
    .description(
      'Writes the files that deploy a topology. The same topology gives the same files, except for secrets/, ' +
        'which is not committed and is kept.',
    )
    .argument('<topology>', 'topology file, or the name of a shipped one')
    .addOption(
      new Option('--target <name>', `kind of files: ${names.join('; ')}`)
        .choices(Object.keys(targets))
        .makeOptionMandatory(),
    )
    .requiredOption('--out <folder>', 'where to write them; created if missing')
    .option(
      '--set <path=value>',
      'another value for a field, or architecture, services, engine, style; may be repeated',
      collectAssignments,
    )
    .option('--image <name>', 'container image of the roles (default: topo-bench/service with the version)')
    .option('--port <number>', 'port of the gateway on this machine (default: 8080)', wholeNumber(1, 65_535))
    .option('--build', 'also build this image on the container engine, unless it is there')
    .option('--base-image <name>', 'with --build: Node.js image that it is built on (default: the official one)')
    .option('--context <name>', 'with --build: context of Docker (default: the current one)')
    .option('--force', 'overwrite files that generate did not write')
    .option('--dry-run', 'list the files that would change, and write nothing')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples);
}
