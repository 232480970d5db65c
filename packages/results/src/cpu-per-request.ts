/** CPU time per request by role, without the idle use of the same processes. */
export interface CpuUse {
  cpuUs: number;
  /** CPU time without load over the same length of time; absent when it was not measured. */
  idleCpuUs?: number;
}

/**
 * @param answered requests answered in the window; 0 returns an empty record
 * @returns µs by role, and `total` over all roles
 */
export function cpuPerRequest(uses: Readonly<Record<string, CpuUse>>, answered: number): Record<string, number> {
  const roles = Object.entries(uses);
  if (answered === 0 || roles.length === 0) return {};
  const perRequest = roles.map(
    ([name, { cpuUs, idleCpuUs = 0 }]) => [name, Math.max(0, cpuUs - idleCpuUs) / answered] as const,
  );
  return { ...Object.fromEntries(perRequest), total: perRequest.reduce((sum, [, value]) => sum + value, 0) };
}
