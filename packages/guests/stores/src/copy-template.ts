/** The steps of every reset by a copy within the server: a template is filled once, and each reset copies it. */
import { preparationFailure } from './store-error.ts';

/** The parts that depend on the kind of database. */
export interface TemplateCopy {
  /** Description for errors: `5 rows for sql-indexed`. */
  what: string;
  /** An existing template is complete. */
  hasTemplate(): Promise<boolean>;
  buildTemplate(): Promise<void>;
  /** Replaces the current content by a copy. */
  copyTemplate(): Promise<void>;
  /** Closes the connection of all these steps. */
  disconnect(): Promise<void> | void;
}

export interface CopyTimes {
  /** Time from the old state to the fresh copy. */
  resetMs: number;
  /** Time to build the template; 0 for an existing one. */
  templateMs: number;
}

/** @throws StoreRefused when the user lacks a privilege, StoreDiskFull */
export async function copyTemplate(copy: TemplateCopy): Promise<CopyTimes> {
  try {
    const startMs = performance.now();
    const isNew = !(await copy.hasTemplate());
    if (isNew) await copy.buildTemplate();
    const builtMs = performance.now();
    await copy.copyTemplate();
    return { resetMs: performance.now() - builtMs, templateMs: isNew ? builtMs - startMs : 0 };
  } catch (error) {
    throw preparationFailure(`prepare ${copy.what}`, error);
  } finally {
    await copy.disconnect();
  }
}
