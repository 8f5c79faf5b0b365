import { eq, sql } from 'drizzle-orm';
import { endpointOutages } from '#schema/tables/endpoint-outages.ts';
import { runBatch, type Database } from '../../../shared/database.ts';

export interface FailingEndpoint {
  readonly endpoint: string;
  readonly now: number;
  /** An outage that began at this time or earlier raises an alarm. */
  readonly alarmSince: number;
}

export type EndpointOutagesRepository = ReturnType<typeof createEndpointOutagesRepository>;

export function createEndpointOutagesRepository(db: Database) {
  return {
    /** Stores an outage. Returns its start once, when its alarm is due. Otherwise returns null. */
    async noteFailure({ endpoint, now, alarmSince }: FailingEndpoint): Promise<number | null> {
      const [, alarmed = []] = await runBatch(db, [
        db.insert(endpointOutages).values({ endpoint, since: now }).onConflictDoNothing(),
        sql`
          UPDATE endpoint_outages SET alarmed_at = ${now}
          WHERE endpoint = ${endpoint} AND alarmed_at IS NULL AND since <= ${alarmSince}
          RETURNING since`,
      ]);
      return alarmed[0] ? Number(alarmed[0]['since']) : null;
    },

    async listEndpoints(): Promise<string[]> {
      const rows = await db.select({ endpoint: endpointOutages.endpoint }).from(endpointOutages);
      return rows.map(({ endpoint }) => endpoint);
    },

    /** Returns whether the endpoint's outage had raised an alarm. */
    async noteRecovery(endpoint: string): Promise<boolean> {
      const [ended] = await db
        .delete(endpointOutages)
        .where(eq(endpointOutages.endpoint, endpoint))
        .returning({ alarmedAt: endpointOutages.alarmedAt });
      return ended?.alarmedAt != null;
    },
  };
}
