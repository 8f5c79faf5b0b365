import { expect, it } from 'vitest';
import { readAnswer } from '#worker/test-support/answers.ts';
import { createPaidCaller } from '#worker/test-support/callers.ts';
import { createFundedWallet } from '#worker/test-support/chain.ts';
import { query } from '#worker/test-support/database.ts';
import { openIntent, send, settle, signPayment } from '#worker/test-support/payments.ts';
import { createTestApp } from '#worker/test-support/test-app.ts';

it('an unclaimed payment opens one period, however often the cron runs', async () => {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  const terms = await openIntent(follower, caller.id);
  await readAnswer(send(follower, signPayment({ terms, payer: await createFundedWallet() })));
  await settle(app);
  for (let tick = 0; tick < 3; tick++) await app.runCron();
  expect(await query('SELECT subscriber_id, caller_id FROM subscriptions')).toEqual([
    { subscriber_id: follower.id, caller_id: caller.id },
  ]);
});
