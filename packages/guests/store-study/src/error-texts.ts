/** Meaning and remedy of the errors of stores, for `docs/errors.md`. */
import type { ErrorText } from '@topo-bench/core/error-texts';

export const storeErrorTexts = {
  TB_EXPERIMENT_NO_STORE: {
    summary: 'An experiment reads and writes a store, and its topology has no service with one, or several.',
    remedy: 'Give exactly one service of the topology the field `persistence`.',
  },
  TB_EXPERIMENT_QUERY_CLIENT: {
    summary: 'A service with Flight SQL asks for client certificates, and the queries that check it have none.',
    remedy: 'Name `certificate` and `key` in `persistence.client` of the experiment.',
  },
  TB_STORE_NO_SERVER: {
    summary: 'A store has no database server: none is named, and none is on this machine.',
    remedy:
      'Give the connection string of one (e.g. `--mongodb-url`, TOPO_BENCH_MONGODB_URL), or install a server; `topo-bench doctor` shows what is found.',
  },
  TB_STORE_URL: {
    summary: 'A connection string cannot be read, or names another kind of database than the store needs.',
    remedy: 'Write it as `protocol://user:password@host:port/database`.',
  },
  TB_STORE_UNREACHABLE: {
    summary: 'A store cannot be reached: the server of a connection string does not answer, or a file is elsewhere.',
    remedy: 'Start the server, or correct host and port; read a file where it is.',
  },
  TB_STORE_LOGIN: {
    summary: 'The database server that a connection string names answers, but rejects its user or password.',
    remedy: 'Correct user and password in the connection string; percent-encode special characters.',
  },
  TB_STORE_SERVER_FAILED: {
    summary: 'A database server of topo-bench did not start, or ended.',
    remedy: 'Read its last lines in the message; or name a server of your own by its connection string.',
  },
  TB_STORE_UNAVAILABLE: {
    summary: 'The database behind a service cannot be reached, refuses the connection, or does not answer in time.',
    remedy:
      'Start the database, or correct its connection string; the message contains the answer of the database or the system.',
  },
  TB_STORE_BUSY: {
    summary: 'Too many operations wait for a connection to the database, or one waited for too long.',
    remedy: 'Lower the load, or raise `pool`, `queue` or `wait` of the service in the topology.',
  },
  TB_STORE_DISK_FULL: {
    summary: 'The disk of a database is full while a store is prepared, read or written.',
    remedy:
      'Free space, or name a larger folder with `TMPDIR` for the servers that topo-bench starts; then continue the run with `--resume`, which keeps its finished repetitions.',
  },
  TB_STORE_REFUSED: {
    summary: 'The database refuses a step of preparing a store, such as creating a database.',
    remedy:
      'Give a connection string whose user may create and drop databases; topo-bench touches only those named `topo_bench_…`.',
  },
  TB_STORE_CLAIMED: {
    summary: 'A stream job wrote to a heat map after another job had claimed its partition.',
    remedy: 'Nothing: its rows were not added. Run one job at a time on a heat map.',
  },
} as const satisfies Record<string, ErrorText>;
