/** Fortio at a fixed rate, its connections spread over time, with histogram buckets fine enough for the comparison. */
import { output, type Peer, warmUpSeconds } from './peer.ts';

export function fortioPeer(program: string): Peer {
  return {
    name: 'Fortio',
    async run({ url, rateRps, seconds, body, connections }) {
      const rate = ['-qps', String(rateRps), '-c', String(connections), '-uniform'];
      const figures = ['-p', '50,95,99,99.9', '-r', '0.00005', '-json', '-'];
      const load = (ofSeconds: number): Promise<string> => {
        const args = [...rate, '-t', `${ofSeconds}s`, ...figures, '-allow-initial-errors', '-payload', body, url];
        return output(program, ['load', '-quiet', ...args], ofSeconds);
      };
      await load(warmUpSeconds);
      const json = await load(seconds);
      const { DurationHistogram } = JSON.parse(json.slice(json.indexOf('{'))) as FortioResult;
      const us = (percentile: number): number =>
        (DurationHistogram.Percentiles.find(({ Percentile }) => Percentile === percentile)?.Value ?? Number.NaN) * 1e6;
      return { measured: { p50: us(50), p95: us(95), p99: us(99), p999: us(99.9) }, requests: DurationHistogram.Count };
    },
  };
}

interface FortioResult {
  DurationHistogram: { Count: number; Percentiles: { Percentile: number; Value: number }[] };
}
