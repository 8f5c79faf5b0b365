/** The four pages that are measured. The caller is the one with the most calls on the directory's first page. */
export async function findPages(productUrl: string): Promise<readonly string[]> {
  const readJson = async <Value>(path: string) =>
    (await (await fetch(`${productUrl}${path}`)).json()) as Value;
  const callers = await readJson<{ id: string; endedCalls: number }[]>('/api/callers');
  const [busiest] = callers.toSorted((one, other) => other.endedCalls - one.endedCalls);
  const [ended] = await readJson<{ id: string }[]>('/api/token-calls/ended');
  if (!busiest || !ended) throw new Error(`${productUrl} has no callers or no ended calls.`);
  return ['/', '/recent-calls', `/caller/${busiest.id}`, `/call/${ended.id}`];
}
