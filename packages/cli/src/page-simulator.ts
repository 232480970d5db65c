/** The simulator in the report of a run: where a calibration fits its machine and version of Node.js. */
import { TopoBenchError } from '@topo-bench/core';
import type { PageSimulator, Report } from '@topo-bench/report';
import { whatIfTexts } from './built-files.ts';
import { calibrationFor } from './calibration-files.ts';
import { note } from './output.ts';
import type { CalibrationFlags } from './simulation-options.ts';

/**
 * @param report with the run first
 * @returns undefined without a calibration that fits, and for runs that the model does not know
 * @throws TopoBenchError for a calibration that a flag names, as `calibrationFor`
 */
export async function pageSimulator(
  { runs: [run], study }: Report,
  flags: CalibrationFlags = {},
): Promise<PageSimulator | undefined> {
  const isNamed = flags.calibration !== undefined;
  if (!run || !study.whatIf?.()) {
    if (isNamed) {
      note('warning: --calibration adds nothing: sliders need one measured run of requests, which the model knows');
    }
    return undefined;
  }
  try {
    const { calibration } = await calibrationFor(flags, run.record.environment);
    return { calibration, ...(await whatIfTexts()) };
  } catch (error) {
    if (isNamed) throw error;
    // The page stands without sliders.
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_CALIBRATION_NONE')
      note(`warning: no sliders in the report: ${(error as Error).message}`);
    return undefined;
  }
}
