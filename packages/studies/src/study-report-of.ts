/** Finds the report of run folders: by the kind that `run.json` records, in older folders by the settings. */
import { TopoBenchError } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { RunRecord } from '@topo-bench/core/schema/result';
import type { StudyReportOf } from '@topo-bench/report';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';

/**
 * If runs have several kinds, the first kind in the registry reports all of them.
 * @throws TopoBenchError `TB_RUN_FOLDER_VERSION` for a kind that is not in the registry
 */
export function studyReportFrom(studies: readonly KindOfStudy[]): StudyReportOf {
  return async (runs) => {
    const kinds = new Set(runs.map(({ folder, record }) => kindOf(record, folder, studies)));
    const study = studies.find((one) => kinds.has(one)) as KindOfStudy;
    const report = await study.report();
    const { drawingsOf } = await import('./drawings-of.ts');
    const { whatIfOf } = await import('./what-if-of.ts');
    return {
      ...report,
      views: (model, sources) =>
        report.views(model, {
          ...sources,
          drawings: () => drawingsOf(runs, studies),
          whatIf: () => whatIfOf(runs, studies),
        }),
    };
  };
}

function kindOf({ study, experiment }: RunRecord, folder: string, studies: readonly KindOfStudy[]): KindOfStudy {
  const settings = (experiment ?? {}) as ExperimentFile;
  const found = studies.find((one) => (study === undefined ? one.appliesTo(settings) : one.kind === study));
  if (found) return found;
  const known = studies.map(({ kind }) => kind).join(', ');
  throw new TopoBenchError(
    'TB_RUN_FOLDER_VERSION',
    `${folder}: got a study of the kind "${study}", expected ${known}`,
    {
      hint: 'read it with the version that wrote it',
    },
  );
}
