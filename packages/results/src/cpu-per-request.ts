/** CPU time per request by role, less what the same processes use when idle. */
export interface CpuUse {
  cpuUs: number;
  /** Without load, over a time of the same length; absent where no idle time was measured. */
  idleCpuUs?: number;
}

/**
 * @returns by role, and `total` over all of them
 * @param answered requests that were answered in the window; 0 gives no figures
 */
export function cpuPerRequest(uses: Readonly<Record<string, CpuUse>>, answered: number): Record<string, number> {
  const roles = Object.entries(uses);
  if (answered === 0 || roles.length === 0) return {};
  const perRequest = roles.map(
    ([name, { cpuUs, idleCpuUs = 0 }]) => [name, Math.max(0, cpuUs - idleCpuUs) / answered] as const,
  );
  return { ...Object.fromEntries(perRequest), total: perRequest.reduce((sum, [, value]) => sum + value, 0) };
}
