/** Meaning and remedy of the errors of stream jobs, for `docs/errors.md`. */
import type { ErrorText } from '@topo-bench/core/error-texts';

export const streamErrorTexts = {
  TB_EXPERIMENT_STREAM: {
    summary: 'Settings of a stream experiment contradict each other.',
    remedy: 'Follow the hint; a stream experiment deploys no services and keeps nothing between repetitions.',
  },
  TB_STREAM_ENGINE: {
    summary: 'The process of the stream processor ended before its job, or a job failed or took too long.',
    remedy: 'See the reason in the message; the run continues with the next repetition.',
  },
  TB_FLINK_MISSING: {
    summary:
      'A stream job shall run on Apache Flink: no cluster is named, it does not answer, has another version or too few free slots, or the job is not built.',
    remedy:
      'Start a cluster and name it with `--flink-url` or TOPO_BENCH_FLINK_URL, and build the job with Maven, as docs/streams.md shows; or use `engine: embedded`.',
  },
  TB_STORE_NO_TRANSACTIONS: {
    summary: 'A stream job shall write exactly once, and its MongoDB server is not a member of a replica set.',
    remedy: 'Name a server of a replica set, or set `guarantee: at-least-once`, or leave out the database.',
  },
} as const satisfies Record<string, ErrorText>;
