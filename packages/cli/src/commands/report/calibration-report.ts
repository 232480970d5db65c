/** The page of a calibration file. */
import { statSync } from 'node:fs';
import { TopoBenchError } from '@topo-bench/core';
import { calibrationPage } from '@topo-bench/report';
import { readCalibration } from '../../calibration-files.ts';
import { writeNamedFile } from '../../write-file.ts';
import type { ReportFlags } from './options.ts';

/** Runs are folders. */
export function isCalibration([path, ...others]: readonly string[]): boolean {
  return path !== undefined && others.length === 0 && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}

/** @returns its path. @throws TopoBenchError `TB_USAGE`, or with all problems of the file */
export async function reportCalibration(path: string, { format, json, out }: ReportFlags): Promise<string> {
  const { calibration } = await readCalibration(path);
  const { fit } = calibration;
  if (!fit) {
    throw new TopoBenchError('TB_USAGE', `${path} was written by hand: it has no fit to report`, {
      hint: 'name a calibration of `topo-bench calibrate`',
    });
  }
  if (format !== 'html' || json) {
    throw new TopoBenchError('TB_USAGE', `a calibration has a page only: got --format ${json ? 'json' : format}`, {
      hint: 'leave the format out; the file itself is JSON',
    });
  }
  const page = out ?? path.replace(/\.\w+$/, '.html');
  await writeNamedFile(page, calibrationPage({ ...calibration, fit }));
  return page;
}
