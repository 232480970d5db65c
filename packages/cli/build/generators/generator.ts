/** The interface of generators: from the code of the repository to the texts of generated files. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  path: string;
  /** The whole text; undefined for a file that must not exist. */
  content: string | undefined;
}

/** @param root absolute path of the repository */
export type Generator = (root: string) => GeneratedFile[] | Promise<GeneratedFile[]>;
