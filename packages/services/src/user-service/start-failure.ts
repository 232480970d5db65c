/**
 * Reason why a user-supplied service failed to start. Sent to the runner as a line of the handshake, not as a stack
 * trace.
 */
import type { RoleFailed } from '@topo-bench/core';

export class StartFailure extends Error {
  override readonly name = 'StartFailure';

  constructor(
    readonly code: RoleFailed['failed']['code'],
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }

  get line(): RoleFailed {
    const { code, message, hint } = this;
    return { failed: { code, message, hint } };
  }
}
