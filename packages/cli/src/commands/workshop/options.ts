/** `workshop`: a page on loopback, until it is interrupted. */
import type { Command } from 'commander';
import { wholeNumber } from '../../option-values.ts';
import { addCalibrationOptions, type CalibrationFlags } from '../../simulation-options.ts';

const examples = `Examples:
  topo-bench workshop                                  the shipped quickstart, in a browser
  topo-bench workshop my-topology.yaml                 changes reach the file on Save only
  topo-bench workshop quickstart --port 8080 --no-open print the address, and open no browser
  topo-bench workshop my-topology.yaml --calibration machine.json
`;

export interface WorkshopFlags extends CalibrationFlags {
  port?: number;
  /** False with `--no-open`. */
  open: boolean;
}

export function options(command: Command): void {
  command
    .description(
      'Serves a page to this machine alone: a topology as drawing and text, sliders, and predictions of every ' +
        'architecture. “Prove it” measures one of them. Ctrl-C ends it.',
    )
    .argument('[topology]', 'topology file, or the name of a shipped one', 'quickstart')
    .option('--port <number>', 'port of the page (default: a free one)', wholeNumber(0, 65_535))
    .option('--no-open', 'open no browser')
    .addHelpText('before', examples);
  addCalibrationOptions(
    command,
    'what is known of the machine, or the name of a shipped one (default: that of this machine, or assumptions)',
  );
}
