/** Recorded tracks as `run.json` has them: a resumed run must find the same. */
import { z } from 'zod';

export const recordedTracks = z
  .array(
    z.strictObject({
      path: z.string().meta({ description: 'As written: relative to the experiment file.' }),
      sha256: z.string(),
      points: z.int(),
    }),
  )
  .meta({ description: 'GPX files of a stream study; a resumed run must find the same. Absent without any.' });
