import { interceptDatabase, type Query } from './intercept-database.ts';
import type { VirtualClock } from '../virtual-clock.ts';

export interface SlowDatabaseOptions {
  readonly database: D1Database;
  readonly clock: VirtualClock;
  readonly latencyMs: number;
  /** Runs before each statement. If it throws or never ends, the statement doesn't run. */
  readonly before?: (query: Query) => Promise<void>;
}

export function createSlowDatabase({
  database,
  clock,
  latencyMs,
  before = async () => undefined,
}: SlowDatabaseOptions): D1Database {
  return interceptDatabase(database, async (query, run) => {
    await before(query);
    const result = await clock.during(run);
    await clock.sleep(latencyMs);
    return result;
  });
}
