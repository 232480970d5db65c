/** The answer of a list of runs: which cells changed more than separate runs do. */
import { formatChange } from '@topo-bench/comparison';
import { describeLevels, factorsOf } from '../model/factors.ts';
import { type RunList, type Series, usualDifferencePercent } from './run-list.ts';

const shownCells = 6;

/** The headline first. */
export function runListSentences({ runs, series, unreadable }: RunList): string[] {
  const compared = series.filter(({ points }) => points.at(-1)?.change);
  const beyond = compared
    .filter(({ points }) => points.at(-1)?.change?.mark === 'beyond')
    .toSorted((a, b) => size(b) - size(a));
  const more = beyond.length > shownCells ? [`and ${beyond.length - shownCells} more`] : [];
  const unread =
    unreadable.length === 0 ? [] : [`${counted(unreadable.length, 'folder')} cannot be read: see the end of the list.`];
  return [
    headline(runs.length, compared.length, beyond.length),
    ...(beyond.length === 0
      ? []
      : [`${[...beyond.slice(0, shownCells).map((one) => changeOf(one, series)), ...more].join('; ')}.`]),
    ...unread,
  ];
}

function headline(runs: number, compared: number, beyond: number): string {
  if (compared === 0) {
    return `${counted(runs, 'run')}: none can be compared with an earlier one, because no cell was measured twice with the same set-up.`;
  }
  const cells = counted(compared, 'cell');
  if (beyond === 0) {
    return `${counted(runs, 'run')}: in the latest runs, none of ${cells} differs from the run before by more than its own interval and the ${usualDifferencePercent}% by which separate runs differ.`;
  }
  return `${counted(runs, 'run')}: in the latest runs, ${beyond} of ${cells} ${beyond === 1 ? 'differs' : 'differ'} from the run before by more than the own interval and the ${usualDifferencePercent}% by which separate runs differ.`;
}

function changeOf(one: Series, all: readonly Series[]): string {
  const alike = all.filter(({ experiment }) => experiment === one.experiment);
  const varying = factorsOf(alike).filter(({ levels }) => levels.length > 1);
  const where = [one.experiment, describeLevels(varying, one.factors)].filter((text) => text !== '').join(', ');
  return `${where}: ${formatChange(one.points.at(-1)?.change?.percent ?? Number.NaN)}`;
}

/** As a ratio, so that a half and a double are equal. */
function size({ points }: Series): number {
  const percent = points.at(-1)?.change?.percent ?? 0;
  return Math.abs(Math.log(1 + percent / 100));
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
