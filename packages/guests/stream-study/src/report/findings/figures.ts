/** Figures of cells, by valid repetition, that findings are about. */
import type { StreamFigures } from '../../measurement.ts';
import type { StreamEntry } from '../../parts.ts';
import type { Figure } from './study-cells.ts';

/** Points, entries or queries per second at full speed. */
export const throughput: Figure = ({ rates }) => rates;

/** CPU time of the database server over the job at full speed, as a share of its duration; 1 is one core. */
export const databaseCpu: Figure = byRepetition(({ roles, fullSpeed }) =>
  roles.store?.cpuUs === undefined ? undefined : roles.store.cpuUs / fullSpeed.durationUs,
);

/** Bytes that the processes of the database server wrote to files over the job at full speed. */
export const writtenBytes: Figure = byRepetition((stream) => stream.writtenBytes);

/**
 * How uneven the sink is over the tenths of a second of the paced job: standard deviation of its counts divided by
 * their mean.
 */
export const unevenness: Figure = byRepetition(({ counts }) => {
  const sink = counts.sink ?? [];
  const length = Math.max(0, ...Object.values(counts).map((one) => one.length));
  const values = Array.from({ length }, (_, at) => sink[at] ?? 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / length;
  if (!(mean > 0)) return undefined;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / length) / mean;
});

function byRepetition(read: (stream: StreamFigures) => number | undefined): Figure {
  return ({ group }) =>
    new Map(
      group.valid.flatMap(({ stream, repetition }: StreamEntry) => {
        const value = stream && read(stream);
        return value === undefined ? [] : [[repetition, value] as const];
      }),
    );
}
