/** Whether bulk transfers can compare with the Flight server of pyarrow. */
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { findPyarrow, installation, pythonVariable } from './pyarrow/find-pyarrow.ts';

export async function pyarrowCheck(): Promise<MachineCheck> {
  const name = 'pyarrow';
  const effect = 'its Flight server moves tables with `flight.server: pyarrow`';
  const found = await findPyarrow();
  if (found) return { name, status: 'ok', found: `pyarrow ${found.version}, ${found.python}`, effect };
  const remedy = `${installation}, or set ${pythonVariable} to a Python that has it`;
  return { name, status: 'optional', found: 'not found', effect, remedy };
}
