import { PAIRS } from './cast.ts';
import type { History } from './history.ts';
import { must, type Moment } from './invariants.ts';

/**
 * Who may see a caller's active calls sees them, over the product's own route, and nobody else does. Asks
 * for everybody who may not; of those who may, for whom it was otherwise `before`, or for all without it.
 * Where neither the clock nor what the answer can depend on has moved since, it asks nobody.
 */
export async function checkEntitlement(
  { people, now }: History,
  { moment, before }: { moment: Moment; before: Wanted | undefined },
): Promise<Wanted> {
  const { subscriptions, callers } = moment.rows;
  const dependsOn = JSON.stringify([now(), subscriptions, callers]);
  if (before?.dependsOn === dependsOn) return before;
  const wanted = PAIRS.map((pair) => (isEntitled(pair, moment, now()) ? 200 : 403));
  await Promise.all(
    PAIRS.map(async ({ follower, caller }, index) => {
      if (wanted[index] === 200 && before?.statuses[index] === 200) return;
      const response = await people[follower].get(`/api/token-calls/caller/${caller}/active`);
      await response.text();
      must(
        response.status === wanted[index],
        `${follower} is answered ${response.status} for the active calls of ${caller}, and should be answered ${wanted[index]}`,
      );
    }),
  );
  return { statuses: wanted, dependsOn };
}

/** The status that each pair should be answered, and all that it depends on. */
export interface Wanted {
  readonly statuses: readonly (200 | 403)[];
  readonly dependsOn: string;
}

function isEntitled({ follower, caller }: (typeof PAIRS)[number], { rows }: Moment, now: number): boolean {
  const isFree = rows.callers.some(
    ({ caller_id, fee_lamports }) => caller_id === caller && fee_lamports === 0,
  );
  return (
    isFree ||
    rows.subscriptions.some(
      ({ subscriber_id, caller_id, starts_at, ends_at }) =>
        subscriber_id === follower &&
        caller_id === caller &&
        starts_at <= now &&
        ends_at !== null &&
        ends_at > now,
    )
  );
}
