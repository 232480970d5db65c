/** Arrival processes, service-time laws and request generators. */
export * from './arrivals.ts';
export * from './requests.ts';
export * from './service-time.ts';
