/** The engines by their name in experiments. Only those of a run are loaded. */
import type { StreamEngineName } from '../settings-schema.ts';
import type { EngineModule } from './engine.ts';

const engines: Readonly<Record<StreamEngineName, () => Promise<{ module: EngineModule }>>> = {
  embedded: () => import('./embedded/engine.ts'),
  flink: () => import('./flink/engine.ts'),
};

export async function engineNamed(name: StreamEngineName): Promise<EngineModule> {
  return (await engines[name]()).module;
}
