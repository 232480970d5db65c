/** `docs/schema/*.schema.json`: the schemas for editors, named in the first line of shipped files. */
import type { GeneratedFile } from './generator.ts';
import { fileSchema, schemaFiles } from './schema-files.ts';

export function jsonSchemas(): GeneratedFile[] {
  return schemaFiles.map((file) => ({
    path: `docs/schema/${file.name}.schema.json`,
    content: `${JSON.stringify(fileSchema(file), undefined, 2)}\n`,
  }));
}
