/** Events in columns: operators work on batches of them, so that no event is an object of its own. */
export interface EventBatch {
  /** Events in use; columns can be longer. */
  count: number;
  /** Whole numbers, 0 to 2^53 − 1. */
  keys: Float64Array;
  /** Amounts to add up. */
  values: Float64Array;
  /** Event times in ms since 1970. */
  timesMs: Float64Array;
  /** Instants of creation in µs of the job's clock. For a paced source: the intended ones. */
  createdUs: Float64Array;
}

export function eventBatch(capacity: number): EventBatch {
  return {
    count: 0,
    keys: new Float64Array(capacity),
    values: new Float64Array(capacity),
    timesMs: new Float64Array(capacity),
    createdUs: new Float64Array(capacity),
  };
}
