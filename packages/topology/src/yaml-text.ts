/** Writes plain data as YAML, which `parseSource` reads back. */
import { stringify } from 'yaml';

export function yamlText(value: unknown): string {
  return stringify(value);
}
