/** All problems of one file and of the files that it leads to, checked by its `kind`. */
import { type Problem, suggestName } from '@topo-bench/core';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { readText, textsByName } from '@topo-bench/experiment/read-inputs';
import { documentKind, loadRules, parseSource, readDocument } from '@topo-bench/topology';
import { open, type Texts } from './open.ts';
import { openTopology } from './open-topology.ts';

const kinds = ['Topology', 'Rules', 'Experiment', 'Calibration'];

/**
 * @param files contents by path; default: the files on the disk
 * @throws TopoBenchError `TB_FILE_NOT_FOUND` for the file itself
 */
export async function checkFile(file: string, files?: Texts['files']): Promise<readonly Problem[]> {
  const read = files ? textsByName(files) : readText;
  const source = await read(file);
  const kind = documentKind(source.text);
  if (kind === 'Topology') return (await openTopology(file, {}, read)).problems;
  if (kind === 'Rules') return loadRules(source).problems;
  if (kind === 'Experiment') return (await open({ experiment: file, ...(files && { files }) })).problems;
  if (kind === 'Calibration') return readDocument(calibrationFile, source.text, source.file).problems;
  const { problems, locate } = parseSource(source);
  if (problems.length > 0) return problems;
  const got = kind === undefined ? 'none' : JSON.stringify(kind);
  const message = `kind of file: got ${got}, expected ${kinds.join(', ')}`;
  return [{ ...locate(['kind']), code: 'TB_SCHEMA_INVALID', message, hint: suggestName(kind ?? '', kinds, 'kinds') }];
}
