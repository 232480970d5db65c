/**
 * Runs work on many items with a limit on concurrency: a hundred processes that start at once only delay each other.
 */

/**
 * Runs `work` on every item, at most `limit` at a time. After the first failure no further item starts. Items in flight
 * finish first, so no task continues after the rejection.
 * @returns results in the order of the items
 * @throws the first failure
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
