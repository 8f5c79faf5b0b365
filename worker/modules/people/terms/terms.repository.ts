import { and, eq, or } from 'drizzle-orm';
import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants/people.ts';
import { acceptances } from '#schema/tables/acceptances.ts';
import type { Database } from '../../../shared/database.ts';

export function createTermsRepository(db: Database) {
  return {
    async hasAcceptedAll(userId: string): Promise<boolean> {
      const isCurrent = DOCUMENTS.map((document) =>
        and(eq(acceptances.document, document), eq(acceptances.version, DOCUMENT_VERSIONS[document])),
      );
      const accepted = await db
        .select({ document: acceptances.document })
        .from(acceptances)
        .where(and(eq(acceptances.userId, userId), or(...isCurrent)));
      return accepted.length === DOCUMENTS.length;
    },

    /** Stores an acceptance. The first acceptance of a version isn't overwritten. `at` is unix ms. */
    async accept({ userId, at }: { userId: string; at: number }): Promise<void> {
      await db
        .insert(acceptances)
        .values(DOCUMENTS.map((document) => ({ userId, document, version: DOCUMENT_VERSIONS[document], at })))
        .onConflictDoNothing();
    },
  };
}
