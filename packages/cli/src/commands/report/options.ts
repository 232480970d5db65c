/** `report`: finished and unfinished runs as a page, a table or data. */
import type { Price } from '@topo-bench/report';
import { type Command, Option } from 'commander';
import { pricePerCoreHour } from '../../option-values.ts';
import { addCalibrationOptions, type CalibrationFlags } from '../../simulation-options.ts';

const examples = `Examples:
  topo-bench report runs/quickstart-2025-01-31T09-30-00                report.html in the run folder
  topo-bench report runs/a runs/b --out both.html                      several runs on one page
  topo-bench report runs/a --format md                                 a table for a pull request
  topo-bench report runs/a --format csv --rows repetitions > a.csv     a row per repetition
  topo-bench report runs/a --summary --price-per-core-hour 0.04EUR     one page for a meeting: summary.html in the run folder
  topo-bench report runs/a --format parquet --rows requests --out a.parquet   every request with the levels of its cell
  topo-bench report runs                                               a list of all runs, with trends: runs/index.html
  topo-bench report runs --format table                                the list in the terminal
  topo-bench report machine.json                                       a calibration: its fit and errors, as machine.html
  topo-bench report runs/a --calibration machine.json                  sliders with what the simulator predicts
  topo-bench report --list runs/a runs/b --out list.html               a list of these runs
`;

const formats = ['html', 'md', 'csv', 'parquet', 'json', 'table'] as const;
const rowKinds = ['cells', 'repetitions', 'requests'] as const;

export interface ReportFlags extends CalibrationFlags {
  format: (typeof formats)[number];
  out?: string;
  rows: (typeof rowKinds)[number];
  published?: string | true;
  summary?: true;
  pricePerCoreHour?: Price;
  list?: true;
  json?: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Writes the report of one or more runs. Formats other than html go to standard output unless --out names a file. A folder that contains runs becomes a list of them, with the figures of equal cells over time.',
    )
    .argument('<run...>', 'run folders, folders that contain runs, or a calibration')
    .addOption(new Option('--format <format>', 'form of the report').choices(formats).default('html'))
    .addOption(new Option('--rows <what>', 'rows of CSV and Parquet').choices(rowKinds).default('cells'))
    .option('--out <file>', 'file to write')
    .option('--published [csv]', 'also show published medians; without a file, those that the experiment names')
    .option('--summary', 'one page with the answer and the table that decides, in place of the whole report')
    .option(
      '--price-per-core-hour <price>',
      'price of processor time, for the cost per month, e.g. 0.04EUR',
      pricePerCoreHour,
    )
    .option('--list', 'list the runs over time, instead of one report of all of them')
    .option('--json', 'the same as --format json')
    .addHelpText('before', examples);
  addCalibrationOptions(
    command,
    'adds sliders to the page of a run: simulated times at other rates and sizes (default: the newest one of the ' +
      'machine and major version of Node.js that measured, if there is one)',
  );
}
