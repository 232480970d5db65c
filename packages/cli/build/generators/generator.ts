/** The shape of a generator: from the code of the repository to the texts of files in it. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  path: string;
  /** Whole text; undefined for a file that must no longer be there. */
  content: string | undefined;
}

/** @param root absolute path of the repository */
export type Generator = (root: string) => GeneratedFile[] | Promise<GeneratedFile[]>;
