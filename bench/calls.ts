import { HEAVY_CALLS, type People, type Person } from './support/people.ts';
import type { MeasuredProduct } from './support/measured-product.ts';
import type { Counts } from './support/count-operations.ts';
import { spreadOf, type Result } from './results.ts';

/** Real tokens that the local price sources know. */
const MINTS = [
  'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
  'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
  'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
  'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3',
  'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL',
];
const MAX_READ = 60;
const MAX_WRITTEN = { plain: 8, verified: 16 };

/**
 * Statements that write to the caller's row and its indexes as the end of a call does. The first one writes the counts
 * like the trigger on calls, the second one the rates like `refreshRates`. directory.test.ts has them, too.
 */
const writesOfAnEnd = (callerId: string) => [
  `UPDATE callers SET ended_calls = ended_calls, last_call_at = last_call_at + 1 WHERE caller_id = '${callerId}'`,
  `UPDATE callers SET win_rate = win_rate + 0.01, avg_return = avg_return + 0.01, proven_rate = proven_rate + 0.01
   WHERE caller_id = '${callerId}'`,
];

interface Step {
  readonly id: 'open' | 'update' | 'end';
  readonly counts: Counts;
}

interface CallsWorld {
  readonly product: MeasuredProduct;
  readonly people: People;
}

/** Opens, updates and ends calls of callers with many ended calls. */
export async function measureCalls({ product, people }: CallsWorld): Promise<Result[]> {
  const steps: Step[] = [];
  for (const mint of MINTS) steps.push(...(await callOnce(product, people.heavy, mint)));
  const calls = HEAVY_CALLS.toLocaleString('en-US');
  const results = (['open', 'update', 'end'] as const).map((id): Result => {
    const found = steps.filter((step) => step.id === id).map(({ counts }) => counts);
    const rowsRead = spreadOf(found.map((counts) => counts.rowsRead));
    const rowsWritten = spreadOf(found.map((counts) => counts.rowsWritten));
    return {
      id: `calls.${id}`,
      what: `${id} a call of a caller with ${calls} calls (${rowsWritten.median} rows written in all tables)`,
      value: rowsRead,
      unit: 'rows read',
      floor: '',
      goal: `≤ ${MAX_READ}`,
      isMet: rowsRead.max <= MAX_READ,
      work: {
        queries: spreadOf(found.map((counts) => counts.queries)).median,
        rowsRead: rowsRead.median,
        rowsWritten: rowsWritten.median,
        kvReads: spreadOf(found.map((counts) => counts.kvReads)).median,
      },
    };
  });
  return [
    ...results,
    await measureWrites(product, { callerId: people.heavy.id, kind: 'plain' }),
    await measureWrites(product, { callerId: people.verified.id, kind: 'verified' }),
    sizeOf('bytes-per-call', 'an ended call with quotes, events and an update', people.bytesPerCall),
    sizeOf('bytes-per-caller', 'a caller with user, indexes and search', people.bytesPerCaller),
  ];
}

async function measureWrites(
  product: MeasuredProduct,
  { callerId, kind }: { callerId: string; kind: keyof typeof MAX_WRITTEN },
): Promise<Result> {
  const totals: number[] = [];
  for (let round = 0; round < MINTS.length; round++) {
    const written = await product.runSql(writesOfAnEnd(callerId));
    totals.push(written.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0));
  }
  const value = spreadOf(totals);
  return {
    id: `calls.written-${kind}`,
    what: `an end writes to the row of a${kind === 'verified' ? ' verified' : ''} caller and its indexes`,
    value,
    unit: 'rows written',
    floor: '',
    goal: `≤ ${MAX_WRITTEN[kind]}`,
    isMet: value.max <= MAX_WRITTEN[kind],
  };
}

const sizeOf = (id: string, what: string, bytes: number): Result => ({
  id: `size.${id}`,
  what,
  value: spreadOf([Math.round(bytes)]),
  unit: 'bytes',
  floor: '',
  goal: null,
  isMet: null,
});

async function callOnce(product: MeasuredProduct, { id, cookie }: Person, mint: string): Promise<Step[]> {
  const ask = async <Answer>(path: string, method = 'GET', body?: object): Promise<Answer> => {
    const headers = { Cookie: cookie, ...(body && { 'Content-Type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${product.url}${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const token = await ask<{ price: string; symbol: string; name: string }>(`/api/tokens/${mint}`);
  const steps: Step[] = [];
  const count = async <Answer>(step: Step['id'], run: () => Promise<Answer>): Promise<Answer> => {
    await product.readCounts();
    const answer = await run();
    steps.push({ id: step, counts: await product.readCounts() });
    return answer;
  };
  const call = await count('open', () =>
    ask<{ id: string }>('/api/token-calls', 'POST', {
      tokenMint: mint,
      tokenSymbol: token.symbol,
      tokenName: token.name,
      entryPrice: token.price,
      callerId: id,
    }),
  );
  const update = { callId: call.id, message: 'Take half off.' };
  await count('update', () => ask('/api/telegram/send-update', 'POST', update));
  await count('end', () => ask(`/api/token-calls/${call.id}/end`, 'PATCH'));
  return steps;
}
