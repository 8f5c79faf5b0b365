/** A Worker has at most this many connections open. Further requests would wait while their timeouts already run. */
export const MAX_CONNECTIONS = 6;

/**
 * Calls `act` for each item, at most `limit` at a time. After a failure, skips the items that haven't started.
 * @returns the results in the order of the items
 * @throws the first failure, after all running calls have ended
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  limit = MAX_CONNECTIONS,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const work = async () => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await act(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: limit }, work));
  const failure = runs.find((run) => run.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
}
