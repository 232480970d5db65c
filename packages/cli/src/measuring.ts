/** What the verbs that measure have in common: what measures, and what is recorded of the call. */
import type { Backend } from '@topo-bench/trial';
import type { Setting } from '@topo-bench/workbench';
import { measuredBackends } from '@topo-bench/workbench/measured';
import { type EngineFlags, runnerOptionsOf } from './runner-option.ts';
import { type ServerUrlFlags, serverUrlsOf } from './server-urls.ts';
import { studyAddresses } from './study-flags.ts';
import { version } from './version.ts';

/** @param backend undefined: the one of real processes */
export function settingOf(flags: EngineFlags, backend?: Backend): Setting {
  const serverUrls = serverUrlsOf(flags as ServerUrlFlags);
  const addresses = studyAddresses(flags);
  return {
    backends: backend
      ? () => backend
      : (logsDir) => measuredBackends({ runnerOptions: runnerOptionsOf(flags), serverUrls, addresses })(logsDir),
    version: version(),
    command: process.argv.slice(2),
    serverUrls,
  };
}
