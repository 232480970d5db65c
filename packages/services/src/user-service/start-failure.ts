/** Why the user's own service did not get ready: told to the runner as a line of the handshake instead of as a stack trace. */
import type { RoleFailed } from '@topo-bench/core/role-handshake';

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
