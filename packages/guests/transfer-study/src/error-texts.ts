/** Meaning and remedy of the errors of columns over Flight and HTTP, for `docs/errors.md`. */
import type { ErrorText } from '@topo-bench/core/error-texts';

export const transferErrorTexts = {
  TB_EXPERIMENT_NO_FLIGHT: {
    summary: 'An experiment moves tables, and its topology has no service with Arrow Flight, or several.',
    remedy: 'Give exactly one service of the topology `arrow: { flight: {} }`.',
  },
  TB_EXPERIMENT_TRANSFER: {
    summary: 'Settings of a bulk transfer contradict each other.',
    remedy:
      'Set `load.driver: flight` where there is a field `flight`, and `operation: put` with the protocol `flight` alone.',
  },
  TB_FLIGHT_CALL: {
    summary: 'A call of Arrow Flight ended with an error status.',
    remedy: 'Read its message; the status shows whether the caller, the server or the network is at fault.',
  },
  TB_FLIGHT_NO_SERVER: {
    summary: 'An experiment names a Flight server that this machine cannot run.',
    remedy:
      'Run `pip install pyarrow`, or set TOPO_BENCH_PYTHON to a Python that can import `pyarrow.flight`; `topo-bench doctor` shows what is found.',
  },
  TB_FLIGHT_SERVER_FAILED: {
    summary: 'The Flight server of pyarrow did not start, or ended during a transfer.',
    remedy:
      'Read its last lines in the message; when it was killed for memory, lower the rows of a message or the streams.',
  },
  TB_ARROW_MALFORMED: {
    summary: 'Arrow data is cut, damaged or contradicts itself.',
    remedy: 'Send it again, and check the writer if that fails; the message names the fault.',
  },
  TB_ARROW_DENIED: {
    summary: 'Rules refuse a stream of columns as a whole.',
    remedy: 'Request columns and a purpose that the rules allow; the message names the rule.',
  },
  TB_ARROW_UNSUPPORTED: {
    summary: 'Arrow data uses an unsupported type or feature.',
    remedy: 'Cast the column or leave the feature out; the hint names it.',
  },
  TB_SQL_QUERY: {
    summary: 'A query over Flight SQL failed.',
    remedy: 'Read its message: it comes from the database, with the place in the query.',
  },
} as const satisfies Record<string, ErrorText>;
