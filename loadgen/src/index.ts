/** Load drivers behind one port, and their records. Single studies and verbs have entries of their own. */
export * from './driver.ts';
export * from './driver-named.ts';
export * from './drivers.ts';
export * from './error-kind.ts';
export * from './host/hiccup-probe.ts';
export * from './host/load-watch.ts';
export * from './host/use-series.ts';
export * from './launcher/launcher.ts';
export * from './launcher/launchers.ts';
export * from './load-job.ts';
export * from './load-of-server.ts';
export * from './load-result.ts';
export * from './sample-of-row.ts';
export * from './samples.ts';
export * from './turns.ts';
export * from './warm-up.ts';
