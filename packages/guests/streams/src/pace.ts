/** When events are due: at intended times (open model), or as soon as the operators take them (back-pressure). */

export interface Pace {
  /** Events that are due at `nowUs`, from the start of the source; at least `position`. */
  due(nowUs: number): number;
  /** The instant at which the next event is due. */
  nextUs(position: number): number;
  /** Writes the creation times of events. */
  created(position: number, count: number, nowUs: number, createdUs: Float64Array): void;
}

/** @param length number of events */
export function unpaced(length: number): Pace {
  return {
    due: () => length,
    nextUs: () => 0,
    created: (_, count, nowUs, createdUs) => void createdUs.fill(nowUs, 0, count),
  };
}

/**
 * @param timesUs intended times since the start of the job, ascending, one for each event
 * @param startUs instant of the job's clock; a resumed job starts with its first event
 */
export function paced(timesUs: Float64Array, startUs: number, firstPosition: number): Pace {
  const offsetUs = startUs - (timesUs[firstPosition] ?? 0);
  let next = firstPosition;
  return {
    due(nowUs) {
      while (next < timesUs.length && (timesUs[next] as number) + offsetUs <= nowUs) next++;
      return next;
    },
    nextUs: (position) => (timesUs[position] as number) + offsetUs,
    created(position, count, _, createdUs) {
      for (let i = 0; i < count; i++) createdUs[i] = (timesUs[position + i] as number) + offsetUs;
    },
  };
}
