/** `compare`: two runs cell by cell, or the levels of a factor inside one run. */
import { type Command, Option } from 'commander';
import { relativeEffect } from '../../option-values.ts';

const examples = `Examples:
  topo-bench compare runs/before runs/after                        cells of equal factors, on the median RTT
  topo-bench compare runs/before runs/after --metric responseTime.p99
  topo-bench compare runs/study --within architecture              each architecture against the sidecars
  topo-bench compare runs/study --within architecture --reference none --metric cpuUsPerRequest.total
  topo-bench compare runs/flight --within streams                  MB/s of bulk transfers, by the number of streams
  topo-bench compare runs/before runs/after --format md            a table for a pull request
`;

const formats = ['table', 'md', 'csv', 'json'] as const;

export interface CompareFlags {
  metric?: string;
  effect: number;
  within?: string;
  reference?: string;
  format: (typeof formats)[number];
  mixSources?: boolean;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Compares cell by cell which side is faster, by how much and with what certainty. ' +
        'The repetition is the sample; invalid ones are left out.',
    )
    .argument('<run...>', 'two run folders, baseline first; with --within one')
    .option(
      '--metric <name>',
      'figure to compare, e.g. rtt.p95, achievedRps, persistence.successRps (default: rtt.median; ' +
        'of transfers flight.megabytesPerSecond, of stores responseTime.median)',
    )
    .option('--effect <share>', 'smallest difference that matters', relativeEffect, 0.05)
    .option('--within <factor>', 'compare the levels of this factor inside one run')
    .option('--reference <level>', 'level that the others are compared with (default: sidecar, or the first)')
    .option('--mix-sources', 'compare a measured run with a simulated one, each with its own interval')
    .addOption(new Option('--format <format>', 'form of the answer').choices(formats).default('table'))
    .option('--json', 'the same as --format json')
    .addHelpText('before', examples);
}
