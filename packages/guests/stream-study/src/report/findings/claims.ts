/** Claims of the published stream-store study, as comparisons between cells of a run. */
import type { Claim } from '@topo-bench/study-kit/published-claims';
import { databaseCpu, throughput, unevenness, writtenBytes } from './figures.ts';
import { effectsOf, type Figure, type Pair, pairsOf, type StudyCell } from './study-cells.ts';

type Cells = readonly StudyCell[];

const isWrite = ({ job }: StudyCell): boolean => job === 'generate' || job === 'copy';
const isRead = (cell: StudyCell): boolean => !isWrite(cell);
const alone = ({ hasGrid }: StudyCell): boolean => !hasGrid;
const behindGrid = ({ hasGrid }: StudyCell): boolean => hasGrid;
const withWindows = ({ hasWindows }: StudyCell): boolean => hasWindows;
const withoutWindows = ({ hasWindows }: StudyCell): boolean => !hasWindows;
/** The memory-only baseline has no grid in front of it in the study. */
const inFrontOf = ({ database }: StudyCell): boolean => database !== 'redis';

function claim(text: string, pairs: readonly Pair[], figure: Figure = throughput): Claim[] {
  const effects = effectsOf(pairs, figure);
  return effects.length === 0 ? [] : [{ text, effects }];
}

function databasesOf(cells: Cells): string[] {
  return [...new Set(cells.map(({ database }) => database))];
}

/** As the server reports itself. */
function nameOf(cells: Cells, database: string): string {
  return cells.find((one) => one.database === database)?.cell.name ?? database;
}

export function windowsAreBursty(cells: Cells): Claim[] {
  const pairs = pairsOf(cells.filter(withWindows), cells.filter(withoutWindows), 'hasWindows');
  return claim('unevenness of the sink with windows to that without', pairs, unevenness);
}

export function windowsLower(cells: Cells): Claim[] {
  const pairs = pairsOf(cells.filter(withoutWindows), cells.filter(withWindows), 'hasWindows');
  const measured = pairs.filter((pair) => pair.every(({ rates }) => rates.size > 0));
  const lower = measured.filter(([without, own]) => own.figures.pointsPerSecond < without.figures.pointsPerSecond);
  return claim(`throughput without windows to that with them (lower in ${lower.length} of ${measured.length})`, pairs);
}

/** A claim for each database: writes without windows are faster behind the grid. */
export function gridRaisesWrites(cells: Cells): Claim[] {
  return gridEffects(
    cells.filter((cell) => isWrite(cell) && withoutWindows(cell)),
    () => true,
  );
}

/** A claim for each database: reads from MongoDB are faster behind the grid, and those from others slower. */
export function gridHelpsReadsOfOne(cells: Cells): Claim[] {
  return gridEffects(cells.filter(isRead), (database) => database === 'mongodb');
}

function gridEffects(cells: Cells, isFaster: (database: string) => boolean): Claim[] {
  const own = cells.filter(inFrontOf);
  return databasesOf(own.filter(behindGrid)).flatMap((database) => {
    const of = own.filter((cell) => cell.database === database);
    const [grid, base] = [of.filter(behindGrid), of.filter(alone)];
    const name = nameOf(of, database);
    return isFaster(database)
      ? claim(`${name} behind the grid to ${name} alone`, pairsOf(grid, base, 'hasGrid'))
      : claim(`${name} alone to ${name} behind the grid`, pairsOf(base, grid, 'hasGrid'));
  });
}

/** With windows, the two cells that fall in the study. */
export function gridFallsWithWindows(cells: Cells): Claim[] {
  const published = [
    ['mongodb', 'generate'],
    ['postgresql', 'copy'],
  ] as const;
  return published.flatMap(([database, job]) => {
    const own = cells.filter((cell) => cell.database === database && cell.job === job && cell.hasWindows);
    const name = nameOf(own, database);
    const pairs = pairsOf(own.filter(alone), own.filter(behindGrid), 'hasGrid');
    return claim(`${job}: ${name} alone to ${name} behind the grid`, pairs);
  });
}

/** The gain of MariaDB behind the grid, divided by that of each other database. */
export function gridGainIsLargest(cells: Cells, best: string): Claim[] {
  const own = cells.filter((cell) => inFrontOf(cell) && isWrite(cell) && withoutWindows(cell));
  const gains = (database: string): Map<number, number> => {
    const of = own.filter((cell) => cell.database === database);
    return gainsByRepetition(pairsOf(of.filter(behindGrid), of.filter(alone), 'hasGrid'));
  };
  const bestGains = gains(best);
  return databasesOf(own)
    .filter((database) => database !== best)
    .flatMap((database) => {
      const others = gains(database);
      const effects = [...bestGains].flatMap(([round, gain]) => {
        const other = others.get(round);
        return other === undefined ? [] : [gain - other];
      });
      const text = `gain of ${nameOf(own, best)} to that of ${nameOf(own, database)}`;
      return effects.length === 0 ? [] : [{ text, effects }];
    });
}

/** Mean logarithm over the pairs that have the repetition. */
function gainsByRepetition(pairs: readonly Pair[]): Map<number, number> {
  const rounds = [...new Set(pairs.flatMap(([one]) => [...one.rates.keys()]))];
  return new Map(
    rounds.flatMap((round) => {
      const logs = pairs.map(([one, other]) =>
        Math.log((one.rates.get(round) ?? Number.NaN) / (other.rates.get(round) ?? Number.NaN)),
      );
      const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
      return Number.isFinite(mean) ? [[round, mean] as const] : [];
    }),
  );
}

/** A claim for each other database: `best` exceeds it, over the jobs, without the grid. */
export function exceedsOthers(cells: Cells, jobs: readonly string[], best: string, except: string[] = []): Claim[] {
  const own = cells.filter((cell) => alone(cell) && jobs.includes(cell.job));
  return othersOf(own, best, except).flatMap((database) =>
    claim(
      `${nameOf(own, best)} to ${nameOf(own, database)}`,
      pairsOf(
        own.filter((cell) => cell.database === best),
        own.filter((cell) => cell.database === database),
        'database',
      ),
    ),
  );
}

function othersOf(cells: Cells, best: string, except: string[]): string[] {
  return databasesOf(cells).filter((database) => database !== best && !except.includes(database));
}

/** The database is faster in one job than in another, without the grid. */
export function fasterJob(cells: Cells, database: string, faster: string, slower: string): Claim[] {
  const own = cells.filter((cell) => alone(cell) && cell.database === database);
  const of = (job: string): StudyCell[] => own.filter((cell) => cell.job === job);
  const words = (job: string): string => job.replace('-', ' ');
  const pairs = pairsOf(of(faster), of(slower), 'job');
  return claim(`${nameOf(own, database)}: ${words(faster)} to ${words(slower)}`, pairs);
}

export function everyFasterJob(cells: Cells, faster: string, slower: string): Claim[] {
  return databasesOf(cells).flatMap((database) => fasterJob(cells, database, faster, slower));
}

/** CPU use of each other database exceeds that of this one on writes, without the grid. */
export function lowestCpu(cells: Cells, best: string): Claim[] {
  const own = cells.filter((cell) => alone(cell) && isWrite(cell));
  const low = own.filter((cell) => cell.database === best);
  return othersOf(own, best, []).flatMap((database) => {
    const other = own.filter((cell) => cell.database === database);
    const text = `CPU of ${nameOf(own, database)} to that of ${nameOf(own, best)}`;
    return claim(text, pairsOf(other, low, 'database'), databaseCpu);
  });
}

/** This database writes more bytes to files on writes than each other one, without the grid. */
export function maxWritten(cells: Cells, best: string): Claim[] {
  const own = cells.filter((cell) => alone(cell) && isWrite(cell));
  const high = own.filter((cell) => cell.database === best);
  return othersOf(own, best, []).flatMap((database) => {
    const other = own.filter((cell) => cell.database === database);
    const text = `bytes that ${nameOf(own, best)} wrote to those of ${nameOf(own, database)}`;
    return claim(text, pairsOf(high, other, 'database'), writtenBytes);
  });
}
