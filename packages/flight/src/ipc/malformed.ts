/** The errors of Arrow data that cannot be taken as it is: broken, or of a kind that is not served here. */
import { TopoBenchError } from '@topo-bench/core/errors';

/** @param finding what is wrong, with the value received and what was expected */
export function malformed(finding: string): TopoBenchError {
  return new TopoBenchError('TB_ARROW_MALFORMED', `the Arrow data is broken: ${finding}`, {
    hint: 'it was cut, damaged on its way, or written by a faulty writer; no part of the message was used',
  });
}

/** @param what the type or feature; @param hint what works instead */
export function unsupported(what: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_ARROW_UNSUPPORTED', `${what} cannot be read or written here`, { hint });
}
