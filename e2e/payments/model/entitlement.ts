import { PAIRS } from './fixtures.ts';
import type { History } from './history.ts';
import type { Snapshot } from './repaired.ts';
import { must } from './row-invariants.ts';
import { withSilentDays } from './silence.ts';

/**
 * Checks over the API that exactly the entitled users see a caller's active calls. Skips users who are entitled
 * now and already were in `before`. Skips everything if clock, subscriptions and callers are unchanged.
 */
export async function checkEntitlement(
  { people, now }: History,
  { timestamp, before }: { timestamp: Snapshot; before: ExpectedAccess | undefined },
): Promise<ExpectedAccess> {
  const { subscriptions, callers, silentDays } = timestamp.rows;
  const dependsOn = JSON.stringify([now(), subscriptions, callers, silentDays]);
  if (before?.dependsOn === dependsOn) return before;
  const expectedAccess = PAIRS.map((pair) => (isEntitled(pair, timestamp, now()) ? 200 : 403));
  await Promise.all(
    PAIRS.map(async ({ follower, caller }, index) => {
      if (expectedAccess[index] === 200 && before?.statuses[index] === 200) return;
      const response = await people[follower].get(`/api/token-calls/caller/${caller}/active`);
      await response.text();
      must(
        response.status === expectedAccess[index],
        `${follower} got ${response.status} instead of ${expectedAccess[index]} for the active calls of ${caller}`,
      );
    }),
  );
  return { statuses: expectedAccess, dependsOn };
}

/** The expected status for each pair of follower and caller. `dependsOn` is the data that decides it, as JSON. */
export interface ExpectedAccess {
  readonly statuses: readonly (200 | 403)[];
  readonly dependsOn: string;
}

function isEntitled({ follower, caller }: (typeof PAIRS)[number], { rows }: Snapshot, now: number): boolean {
  const isFree = rows.callers.some((row) => row.caller_id === caller && row.fee_lamports === 0);
  const isSubscribed = withSilentDays(rows).some(
    ({ subscriber_id, caller_id, starts_at, ends_at }) =>
      subscriber_id === follower && caller_id === caller && starts_at <= now && (ends_at ?? 0) > now,
  );
  return isFree || isSubscribed;
}
