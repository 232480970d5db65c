/** `load`: an open or closed load on any HTTP server. */
import { arrivalLaws, type RequestDriverName, requestDrivers } from '@topo-bench/core/schema/experiment';
import { type Command, Option } from 'commander';
import { collect, collectHeaders, durationUs, type RateRange, rateRange, wholeNumber } from '../../option-values.ts';

const examples = `Examples:
  topo-bench load http://127.0.0.1:8080/ --rate 500 --duration 10s
  topo-bench load http://127.0.0.1:8080/ --rate 200 --arrivals poisson --json
  topo-bench load http://127.0.0.1:8080/ --driver autocannon --connections 50
  topo-bench load 127.0.0.1:8080/ --threshold 'responseTime.p95 < 50ms' --threshold 'errors.rate < 0.1%'
  topo-bench load 127.0.0.1:8080/orders --body-file order.json --header content-type:application/json
  topo-bench load 127.0.0.1:8080/ --rate 100..1000 --duration 60s --html load.html
  topo-bench load http://127.0.0.1:8080/ --find-max 'p95<50ms'
`;

export interface LoadFlags {
  rate?: RateRange;
  duration: number;
  drain: number;
  arrivals: (typeof arrivalLaws)[number];
  driver: RequestDriverName;
  connections: number;
  method?: string;
  header?: [string, string][];
  body?: string;
  bodyFile?: string;
  ca?: string;
  insecure?: boolean;
  threshold?: string[];
  findMax?: string;
  seed: number;
  processes?: number;
  keepAwake: boolean;
  html?: string;
  quiet?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Drives an HTTP server and prints the figures. Exit codes: 1 a threshold failed, ' +
        '5 the measurement is not valid, requests did not finish, or they are too few for a threshold.',
    )
    .argument('<url>', 'http or https URL of a server that you own; without a scheme http')
    .option(
      '--rate <req/s>',
      'offered load, or a ramp such as 100..1000; with --find-max the first rate to try (default: 100)',
      rateRange(1e6),
    )
    .addOption(new Option('--duration <time>', 'length of the load').argParser(durationUs).default(10e6, '10s'))
    .addOption(
      new Option('--drain <time>', 'limit on waiting for open requests afterwards')
        .argParser(durationUs)
        .default(60e6, '60s'),
    )
    .addOption(new Option('--arrivals <law>', 'when requests leave').choices(arrivalLaws).default('constant'))
    .addOption(
      new Option('--driver <name>', 'open: on schedule; autocannon: closed model')
        .choices(requestDrivers)
        .default('open'),
    )
    .option('--connections <number>', 'clients of the closed model', wholeNumber(1), 10)
    .option('--method <method>', 'HTTP method (default: GET, with a body POST)')
    .option('--header <name:value>', 'header to send; may be repeated', collectHeaders)
    .option('--body <text>', 'body to send')
    .option('--body-file <file>', 'file whose bytes are the body to send')
    .option('--ca <file>', 'PEM file of the authorities to trust, in place of those of Node.js')
    .option('--insecure', 'check no certificate')
    .option('--threshold <text>', 'metric, operator and value, as for gate; may be repeated', collect)
    .option('--find-max <condition>', "highest rate that meets a condition such as 'p95<50ms'")
    .option('--html <file>', 'write a report page to this file')
    .option('--quiet', 'print no progress')
    .option('--seed <number>', 'seed of Poisson arrivals', wholeNumber(0), 1)
    .option('--processes <number>', 'generator processes (default: as many as the rate needs)', wholeNumber(1))
    .option('--no-keep-awake', 'allow the cores of this host to sleep between requests')
    .option('--json', 'print one JSON document: an entry as in cells.json')
    .addHelpText('before', examples);
}
