/**
 * Service time of a request. It is a function of (seed, request, service) alone: the same in every architecture,
 * process, runner and simulator.
 */
import { exponential, naturalLog, normalQuantile } from '@topo-bench/core';
import type { Work } from '@topo-bench/core/schema/topology';
import { draws } from './streams.ts';

/** The service time of a request at a service, in µs. Stateless: it needs no random stream. */
export function serviceTimeUs(work: Work, seed: number, requestId: string, serviceName: string): number {
  if (work.law === 'constant') return work.meanUs;
  return serviceTimeQuantileUs(work, draws.work(seed, requestId, serviceName));
}

/**
 * Quantile of the law in µs, by inversion. Exponential: −mean · ln(1 − p). Lognormal with σ of the logarithm and the
 * stated mean: exp(μ + σ · Φ⁻¹(p)) with μ = ln(mean) − σ²/2.
 * @param p in [0, 1)
 */
export function serviceTimeQuantileUs(work: Work, p: number): number {
  switch (work.law) {
    case 'constant':
      return work.meanUs;
    case 'exponential':
      return -work.meanUs * naturalLog(1 - p);
    case 'lognormal':
      return work.meanUs * exponential(work.sigma * normalQuantile(p) - (work.sigma * work.sigma) / 2);
  }
}
