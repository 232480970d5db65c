/** The `grpc-timeout` header: up to eight digits and a unit (gRPC over HTTP/2, "Requests"). */

const unitMs: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Max delay of setTimeout; longer deadlines are ignored. */
export const maxTimeoutMs = 2 ** 31 - 1;

/** @returns milliseconds; undefined if the header is absent or malformed */
export function parseTimeoutMs(header: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(header ?? '');
  if (!match) return undefined;
  return Number(match[1]) * (unitMs[match[2] as string] as number);
}

export function formatTimeout(timeoutMs: number): string {
  return timeoutMs < 1e8
    ? `${Math.max(1, Math.ceil(timeoutMs))}m`
    : `${Math.min(99_999_999, Math.ceil(timeoutMs / 1000))}S`;
}
