/** The entry point of the exporter: `exporter.js --config FILE`. */

import type { ExporterSettings } from './conversion/converter-settings.ts';
import { startExport } from './conversion/export.ts';
import { readDocument, usage } from './program/command-line.ts';
import { runServerProgram } from './program/serve-program.ts';

await runServerProgram(async ({ config }) => {
  if (config === undefined) throw usage('exporter: got no --config');
  return startExport(await readDocument<ExporterSettings>(config, '--config'));
});
