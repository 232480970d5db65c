/**
 * The privilege of other tools for our generator: real-time priority for its main thread alone. In a run of topo-bench
 * its pacer has it too. Which threads of another tool send on time is unknown, so they cannot have the same.
 */
import type { GeneratorLink, Launcher } from '../src/launcher/launcher.ts';

export function mainThreadAlone(launcher: Launcher): Launcher {
  return {
    ...launcher,
    launch: async (parts, signal) => (await launcher.launch(parts, signal)).map(withoutOthers),
  };
}

function withoutOthers(link: GeneratorLink): GeneratorLink {
  return {
    name: link.name,
    ...(link.host && { host: link.host }),
    listen: (listener) => link.listen(listener),
    send: (message) => link.send(message),
    // The main thread comes first.
    prioritise: (threads) => link.prioritise(threads?.slice(0, 1)),
    end: () => link.end(),
  };
}
