/** k6 with its constant-arrival-rate executor; `http_req_duration` is what it calls the time of a request. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Peer, warmUpSeconds } from './peer.ts';

export function k6Peer(program: string): Peer {
  return {
    name: 'k6',
    async run({ url, rateRps, seconds, body, connections, folder }) {
      const script = join(folder, 'k6.js');
      const arrivals = `executor: 'constant-arrival-rate', rate: ${rateRps}, timeUnit: '1s', preAllocatedVUs: ${connections}, maxVUs: ${4 * connections}`;
      await writeFile(
        script,
        `import http from 'k6/http';
        export const options = {
          scenarios: {
            warm: { ${arrivals}, duration: '${warmUpSeconds}s', gracefulStop: '1s' },
            load: { ${arrivals}, duration: '${seconds}s', startTime: '${warmUpSeconds + 1}s' },
          },
          // k6 reports a scenario by itself where a threshold names it.
          thresholds: { 'http_req_duration{scenario:load}': ['max>=0'], 'http_reqs{scenario:load}': ['count>=0'] },
          summaryTrendStats: ['med', 'p(95)', 'p(99)', 'p(99.9)'],
        };
        export default () => http.post(${JSON.stringify(url)}, ${JSON.stringify(body)});
        const of = (data, metric) => data.metrics[metric + '{scenario:load}'].values;
        export const handleSummary = (data) => ({
          stdout: JSON.stringify({ times: of(data, 'http_req_duration'), requests: of(data, 'http_reqs').count }),
        });`,
      );
      const json = await output(program, ['run', '--quiet', '--no-usage-report', script], seconds);
      const { times, requests } = JSON.parse(json.slice(json.indexOf('{'))) as {
        times: Record<string, number>;
        requests: number;
      };
      const us = (key: string): number => (times[key] ?? Number.NaN) * 1e3;
      return { measured: { p50: us('med'), p95: us('p(95)'), p99: us('p(99)'), p999: us('p(99.9)') }, requests };
    },
  };
}
