/** Recorded tracks: input of a stream experiment. */

/** A GPX file as a run records it. */
export interface RecordedTrack {
  /** As written: relative to the experiment file. */
  path: string;
  /** Digest of its bytes. */
  sha256: string;
  points: number;
}

export interface TrackFile extends RecordedTrack {
  /** Path relative to the working directory. */
  file: string;
}
