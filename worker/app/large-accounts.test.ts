import { expect, it } from 'vitest';
import { FOLLOWERS_PER_SLICE } from '#worker/modules/money/subscriptions/fee-changes.repository.ts';
import { writeCursor, type KeysetCursor } from '#worker/shared/keyset.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertLargeAccount } from '#test/database/large-account.ts';
import { resetStorage } from '#test/database/storage.ts';
import { createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { readResponse } from '#test/responses.ts';
import { control, testEnv } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

interface Cost {
  statements: number;
  read: number;
  written: number;
}

/** The costs of each request that concerns all of an account's calls, subscribers or payments. */
async function costsWith(count: number): Promise<Record<string, Cost>> {
  await resetStorage();
  const costs: Record<string, Cost> = {};
  let cost: Cost | undefined;
  const DB = countRows(testEnv.DB, ({ rows, written }) => {
    if (!cost) return;
    cost.statements += 1;
    cost.read += rows;
    cost.written += written;
  });
  const { app, operator } = await createOperatedApp({ ...NO_LIMITS, DB });
  const handle = `large_${count}`;
  const { caller } = await createPaidCaller(app, { handle });
  await insertLargeAccount({ callerId: caller.id, count, now: app.clock.now() });
  const run = async (name: string, request: () => Promise<unknown>) => {
    cost = costs[name] = { statements: 0, read: 0, written: 0 };
    await request();
    cost = undefined;
  };
  const setFee = (monthlyFee: string | null) =>
    readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
  const remove = (newHandle: string) =>
    readResponse(caller.post('/api/user/deletion', { handle: newHandle }));

  const { next } = await readResponse<ExportedData>(caller.get('/api/user/export'));
  const place: object = next ?? {};
  for (const [name, from] of Object.entries({ first: {}, next: place })) {
    await run(`the ${name} part of an export`, () =>
      readResponse(caller.get(`/api/user/export?${new URLSearchParams({ ...from })}`)),
    );
  }
  const [sixthLast] = await query<KeysetCursor>(`
    SELECT known_end AS value, id FROM subscriptions WHERE payment_id IS NOT NULL
    ORDER BY known_end DESC, id DESC LIMIT 1 OFFSET 5`);
  const lastPage = writeCursor(sixthLast ?? { value: 0, id: '' });
  await run('the last page of subscribers', async () =>
    expect(await readResponse(caller.get(`/api/payments/subscribers?cursor=${lastPage}`))).toHaveLength(5),
  );
  await run('Paid to Free', () => setFee(null));
  await run('Free to Paid', () => setFee('0.5'));
  await run('the rest of the changes, in the cron', () => app.runJobs('subscriptions'));
  await run('another fee', () => setFee('0.7'));
  const wallet = await createFundedWallet(1);
  await proveWallet(caller, wallet);
  const walletAddress = wallet.publicKey.toBase58();
  await run('another payout wallet', () =>
    readResponse(caller.patch('/api/user/caller-profile', { walletAddress })),
  );
  await run('suspending', () => act(operator, { action: 'suspend', subjectId: caller.id }));
  await run('ending the suspension', () => act(operator, { action: 'unsuspend', subjectId: caller.id }));
  const renamed = `renamed_${count}`;
  await control('POST', '/x/rename', { handle, newHandle: renamed });
  await run('a sign-in under a new handle', () => app.signIn(renamed));
  await run('asking for the deletion', () => remove(renamed));
  await run('taking it back', () => readResponse(caller.delete('/api/user/deletion')));
  await query("UPDATE subscriptions SET status = 'expired' WHERE payment_id IS NOT NULL");
  await run('deleting the account', () => remove(renamed));
  await run('erasing texts, in the cron', () => app.runJobs('accounts'));
  return costs;
}

it('no request reads or writes more rows for an account with ten times as many calls and subscribers', async () => {
  const few = await costsWith(3_000);
  const many = await costsWith(30_000);
  for (const [name, cost] of Object.entries(many)) {
    const { statements = 0, read = 0, written = 0 } = few[name] ?? {};
    expect([name, cost.statements]).toEqual([name, statements]);
    expect([name, cost.read <= 1.1 * read + 20, cost.written <= 1.1 * written + 20]).toEqual([
      name,
      true,
      true,
    ]);
    if (!name.includes('cron')) expect([name, cost.written < 10 * FOLLOWERS_PER_SLICE]).toEqual([name, true]);
  }
});
