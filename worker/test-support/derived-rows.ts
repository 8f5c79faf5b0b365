import { sql } from 'drizzle-orm';
import {
  addActiveMints,
  addCalledTokens,
  addHoldings,
  addOpenedEvents,
  addUpdateEvents,
} from '../modules/market/calls/call-effects.repository.ts';
import { activate, repairStatistics } from '../modules/market/calls/call-statistics.repository.ts';
import {
  createFollowerResultsRepository,
  storeFigures,
} from '../modules/market/calls/follower-results.repository.ts';
import { copyUsersToCallers } from '../modules/money/callers/caller-copies.repository.ts';
import { createDatabase, runBatch } from '../shared/database.ts';
import { testEnv } from './test-app.ts';

const FACTS = /\b(?:INTO (?:calls|callers|call_updates)|UPDATE (?:calls|users))\b/;

/** True if a statement writes rows from which others are derived. */
export const writesFacts = (statement: string): boolean => FACTS.test(statement);

/** Writes the rows derived from those that a test has inserted directly. The product writes both in one batch. */
export async function addDerivedRows(): Promise<void> {
  const db = createDatabase(testEnv.DB);
  const all = sql`TRUE`;
  const callers = await db.all<{ id: string }>(sql`SELECT DISTINCT caller_id AS id FROM calls`);
  const callerIds = callers.map(({ id }) => id);
  await runBatch(db, [
    ...[addOpenedEvents, addUpdateEvents, addActiveMints, addCalledTokens, addHoldings].map((add) =>
      add(all),
    ),
    repairStatistics(callerIds),
    activate(callerIds, 0),
    copyUsersToCallers(sql`(SELECT id FROM users)`),
  ]);
  const results = await createFollowerResultsRepository(db).readResults({
    callerIds,
  });
  const figures = results.flatMap((read) => storeFigures([read], read.results[0]?.endedAt ?? 0));
  if (figures.length > 0) await runBatch(db, figures);
}
