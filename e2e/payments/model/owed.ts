import type { Receipt } from '#schema/contracts/payments.ts';
import { FOLLOWERS } from './fixtures.ts';
import type { History } from './history.ts';
import { must, paidBack } from './row-invariants.ts';
import type { Snapshot } from './repaired.ts';
import { withSilentDays } from './silence.ts';

/** Checks what each receipt says is owed: the caller's share of the time after the day of the deletion. */
export async function checkOwed({ people }: History, { rows }: Snapshot): Promise<void> {
  const periods = withSilentDays(rows);
  for (const follower of FOLLOWERS) {
    const receipts = await (await people[follower].get('/api/payments')).json<readonly Receipt[]>();
    for (const { signature, owed } of receipts) {
      const payment = rows.payments.find((row) => row.signature === signature);
      must(payment?.user_id === follower, `${follower} sees the receipt of ${payment?.user_id}`);
      const leavesAt = rows.callers.find(({ caller_id }) => caller_id === payment.caller_id)?.deletes_at;
      const period = periods.find(({ payment_id }) => payment_id === payment.id);
      const isRefunded = rows.ledger.some((row) => row.payment_id === payment.id && row.kind === 'refunded');
      let expected = 0n;
      if (leavesAt != null && period?.ends_at != null && !isRefunded) {
        const { starts_at, ends_at } = period;
        const missed = Math.max(0, ends_at - Math.max(starts_at, leavesAt));
        const share = (BigInt(payment.caller_lamports) * BigInt(missed)) / BigInt(ends_at - starts_at);
        expected = share - BigInt(paidBack(rows, payment.id));
      }
      const shown = BigInt(Math.round(Number(owed ?? 0) * 1e9));
      must(
        shown === (expected > 0n ? expected : 0n),
        `${signature} owes ${shown} instead of ${expected} lamports`,
      );
    }
  }
}
