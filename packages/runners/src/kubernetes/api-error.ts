/** Errors of the API server. */
import { TopoBenchError } from '@topo-bench/core';

/** A refusal by the API server, with its own message. */
export class ApiError extends Error {
  /** @param status HTTP status */
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** The error of a failed request as users see it. @param action begins with a verb: `create the namespace x` */
export function clusterError(action: string, server: string, error: unknown): TopoBenchError {
  if (error instanceof TopoBenchError) return error;
  if (error instanceof ApiError && (error.status === 401 || isRightMissing(error))) {
    const hint =
      error.status === 401
        ? 'renew the credentials of the kubeconfig'
        : 'docs/kubernetes.md lists the rights that the runner needs';
    return new TopoBenchError('TB_CLUSTER_RIGHTS', `cannot ${action}: ${error.message}`, { hint, cause: error });
  }
  if (error instanceof ApiError) {
    return new TopoBenchError('TB_CLUSTER_REFUSED', `cannot ${action}: ${error.message}`, { cause: error });
  }
  const { message } = error as Error;
  return new TopoBenchError('TB_CLUSTER_NO_ANSWER', `cannot ${action}: ${server} does not answer: ${message}`, {
    hint: 'check that the cluster runs (kubectl version), or choose another one with --context',
    cause: error,
  });
}

/** Quotas and pod security also answer 403. */
function isRightMissing({ status, message }: ApiError): boolean {
  return status === 403 && message.includes('cannot ');
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
