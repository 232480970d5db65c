/** The frame of every reset by a copy within the server: a template is filled once, and each reset copies it. */
import { StoreRefused } from './store-error.ts';

/** What a kind of database brings to it. */
export interface TemplateCopy {
  /** What is prepared, for errors: `5 rows for sql-indexed`. */
  what: string;
  /** A template that is there is complete. */
  hasTemplate(): Promise<boolean>;
  buildTemplate(): Promise<void>;
  /** Puts a copy in place of what was there. */
  copyTemplate(): Promise<void>;
  /** Ends the connection that all of this goes over. */
  disconnect(): Promise<void> | void;
}

export interface CopyTimes {
  /** From the old state to the fresh copy. */
  resetMs: number;
  /** To build the template; 0 when it was there. */
  templateMs: number;
}

/** @throws StoreRefused when the user may not do what this needs */
export async function copyTemplate(copy: TemplateCopy): Promise<CopyTimes> {
  try {
    const startMs = performance.now();
    const isNew = !(await copy.hasTemplate());
    if (isNew) await copy.buildTemplate();
    const builtMs = performance.now();
    await copy.copyTemplate();
    return { resetMs: performance.now() - builtMs, templateMs: isNew ? builtMs - startMs : 0 };
  } catch (error) {
    throw new StoreRefused(`prepare ${copy.what}`, error);
  } finally {
    await copy.disconnect();
  }
}
