import { PAIRS } from './cast.ts';
import type { History } from './history.ts';
import { must, type Moment } from './invariants.ts';

/** Who may see a caller's active calls sees them, over the product's own route, and nobody else does. */
export async function checkEntitlement({ people, now }: History, { rows }: Moment): Promise<void> {
  const answers = await Promise.all(
    PAIRS.map(async ({ follower, caller }) => {
      const response = await people[follower].get(`/api/token-calls/caller/${caller}/active`);
      await response.text();
      return response.status;
    }),
  );
  for (const [index, { follower, caller }] of PAIRS.entries()) {
    const isFree = rows.callers.some(({ caller_id, fee_lamports }) => caller_id === caller && fee_lamports === 0);
    const isCovered = rows.subscriptions.some(({ subscriber_id, caller_id, starts_at, ends_at }) => subscriber_id === follower && caller_id === caller && starts_at <= now() && ends_at !== null && ends_at > now());
    const wanted = isFree || isCovered ? 200 : 403;
    must(answers[index] === wanted, `${follower} is answered ${answers[index]} for the active calls of ${caller}, who is ${isFree ? 'Free' : 'Paid'}; a period ${isCovered ? 'runs' : 'does not run'}`);
  }
}
