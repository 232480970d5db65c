/** The entry point of the converter: `converter.js --config FILE --catalog FILE`. */
import { startConversion } from './conversion/convert.ts';
import type { ConverterSettings } from './conversion/converter-settings.ts';
import { readCatalog, readDocument, usage } from './program/command-line.ts';
import { runServerProgram } from './program/serve-program.ts';

await runServerProgram(async ({ config, catalog }) => {
  if (config === undefined || catalog === undefined) throw usage('converter: got no --config and --catalog');
  return startConversion(await readCatalog(catalog), await readDocument<ConverterSettings>(config, '--config'));
});
