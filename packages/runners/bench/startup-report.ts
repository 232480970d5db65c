/** Report of the start-up benchmark: medians, ratios to bare processes with an interval, memory, targets. */

/** Milliseconds until the first answer, by `bare` or framework. */
export type Round = Record<string, number>;

/** Largest proportional set size of any process, in MB; null where the system does not say. */
export interface Memory {
  readyMb: number | null;
  loadedMb: number | null;
}

export interface StartupResult {
  processes: number;
  frameworks: readonly string[];
  rounds: readonly Round[];
  memory: Readonly<Record<string, Memory>>;
}

const targets = { maxRatio: 1.6, maxMbReady: 30, maxMbLoaded: 60 };

export function report({ processes, frameworks, rounds, memory }: StartupResult) {
  const bare = rounds.map(({ bare = Number.NaN }) => bare);
  const results = frameworks.map((framework) => {
    const times = rounds.map((round) => round[framework] as number);
    const ratios = times.map((ms, round) => ms / (bare[round] as number)).sort((a, b) => a - b);
    const { readyMb, loadedMb } = memory[framework] as Memory;
    const ratio = median(ratios);
    return {
      framework,
      medianMs: median(times),
      ratio,
      // Smallest to largest of n holds the median with probability 1 − 2^(1−n), whatever the distribution.
      ratioInterval: [ratios[0] as number, ratios.at(-1) as number] as const,
      largestPssMbReady: readyMb,
      largestPssMbLoaded: loadedMb,
      met: {
        ratio: ratio <= targets.maxRatio,
        pssReady: readyMb === null ? null : readyMb <= targets.maxMbReady,
        pssLoaded: loadedMb === null ? null : loadedMb <= targets.maxMbLoaded,
      },
    };
  });
  const confidence = 1 - 2 ** (1 - rounds.length);
  const json = { processes, rounds: rounds.length, bareMedianMs: median(bare), confidence, targets, results };
  const lines = [
    `${processes} processes, ${rounds.length} rounds; bare node:http with the hop client, first request answered after ${json.bareMedianMs.toFixed(0)} ms (median)`,
    ...results.flatMap(({ framework, medianMs, ratio, ratioInterval, largestPssMbReady, largestPssMbLoaded, met }) => [
      `${framework}: first request answered after ${medianMs.toFixed(0)} ms`,
      `  ratio ${ratio.toFixed(2)} [${ratioInterval.map((value) => value.toFixed(2)).join(', ')}] at ${(100 * confidence).toFixed(1)}% confidence; target ≤ ${targets.maxRatio}: ${verdict(met.ratio)}`,
      `  largest PSS ready ${megabytes(largestPssMbReady)}; target ≤ ${targets.maxMbReady} MB: ${verdict(met.pssReady)}`,
      `  largest PSS after load ${megabytes(largestPssMbLoaded)}; target ≤ ${targets.maxMbLoaded} MB: ${verdict(met.pssLoaded)}`,
    ]),
  ];
  return { json, text: lines.join('\n') };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

const verdict = (met: boolean | null): string => (met === null ? 'not available' : met ? 'met' : 'NOT MET');
const megabytes = (value: number | null): string => (value === null ? 'not available' : `${value.toFixed(1)} MB`);
