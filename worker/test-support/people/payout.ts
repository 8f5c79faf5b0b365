import { sql, type SQL } from 'drizzle-orm';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { recordPayoutChange } from '../../modules/money/wallets/wallets.repository.ts';
import { testEnv } from '../test-app.ts';

/** Changes the payout wallet, by default of all callers, without the checks of the service. */
export async function setPayout(
  to: string | null,
  { at, where = sql`1` }: { at: number; where?: SQL },
): Promise<void> {
  await runBatch(createDatabase(testEnv.DB), [
    ...recordPayoutChange({ to, at, where }),
    sql`UPDATE callers SET payout_address = ${to}, updated_at = ${at} WHERE ${where}`,
  ]);
}
