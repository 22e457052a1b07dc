/**
 * Works on several items at once and passes on the results in the order of the items.
 *
 * @param jobs How many items to work on at once, at least 1.
 * @returns A promise that settles once all workers have ended; if any rejects, it rejects with the first one's reason.
 */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
  onResult: (result: Result) => void,
): Promise<void> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results.set(index, await work(item));
      for (; results.has(next); next++) {
        onResult(results.get(next) as Result);
        results.delete(next);
      }
    }
  };
  const workers = Array.from({ length: Math.min(jobs, items.length) }, worker);
  for (const settled of await Promise.allSettled(workers)) if (settled.status === 'rejected') throw settled.reason;
}
