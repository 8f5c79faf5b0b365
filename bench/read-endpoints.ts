// Measures the public read endpoints of a running product. Compares each with the smallest response (a 404),
// because absolute times differ between machines.

const productUrl = process.argv[2] ?? 'http://localhost:8787';
/** Both measurements together stay below the rate limit of one visitor. */
const ROUNDS = 90;
const paths = [
  '/api/nothing-here',
  '/api/callers',
  '/api/callers?sort=winRate&limit=20',
  '/api/callers?search=ra',
  '/api/token-calls/ended',
  '/api/callers/amara_calls',
];

async function measure(path: string): Promise<{ median: number; bytes: number; status: number }> {
  const times: number[] = [];
  let bytes = 0;
  let status = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const response = await fetch(`${productUrl}${path}`);
    bytes = (await response.arrayBuffer()).byteLength;
    status = response.status;
    times.push(performance.now() - startedAt);
  }
  return { median: times.toSorted((one, other) => one - other)[ROUNDS / 2] ?? 0, bytes, status };
}

for (const path of paths) await measure(path);
const results = [];
for (const path of paths) results.push({ path, ...(await measure(path)) });
const base = results[0]?.median ?? 1;
console.table(
  results.map(({ path, median, bytes, status }) => ({
    path,
    status,
    bytes,
    'median ms': Number(median.toFixed(2)),
    'times the smallest': Number((median / base).toFixed(1)),
  })),
);
