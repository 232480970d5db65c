/** A generated file of a deployment, as the verb `generate` writes it. */
export interface ManifestFile {
  /** Relative to the output folder, with `/` as separator. */
  path: string;
  text: string;
}

/** A JSON document for people to read and compare: one field per line. */
export function jsonFile(path: string, document: unknown): ManifestFile {
  return { path, text: `${JSON.stringify(document, undefined, 2)}\n` };
}
