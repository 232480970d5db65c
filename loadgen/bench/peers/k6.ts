/** k6 with its constant-arrival-rate executor; `http_req_duration` is what it calls the time of a request. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output, type Peer } from './peer.ts';

export function k6Peer(program: string): Peer {
  return {
    name: 'k6',
    async run({ url, rateRps, seconds, body, connections, folder }) {
      const script = join(folder, 'k6.js');
      await writeFile(
        script,
        `import http from 'k6/http';
        export const options = {
          scenarios: { load: { executor: 'constant-arrival-rate', rate: ${rateRps}, timeUnit: '1s', duration: '${seconds}s',
            preAllocatedVUs: ${connections}, maxVUs: ${4 * connections} } },
          summaryTrendStats: ['med', 'p(95)', 'p(99)', 'p(99.9)'],
        };
        export default () => http.post(${JSON.stringify(url)}, ${JSON.stringify(body)});
        export const handleSummary = (data) => ({ stdout: JSON.stringify(data.metrics.http_req_duration.values) });`,
      );
      const json = await output(program, ['run', '--quiet', '--no-usage-report', script], seconds);
      const values = JSON.parse(json.slice(json.indexOf('{'))) as Record<string, number>;
      const us = (key: string): number => (values[key] ?? Number.NaN) * 1e3;
      return { p50: us('med'), p95: us('p(95)'), p99: us('p(99)'), p999: us('p(99.9)') };
    },
  };
}
