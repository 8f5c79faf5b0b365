import { sql } from 'drizzle-orm';
import type { deadLetters } from '#schema/tables/notifications.ts';
import type { Database } from '../../shared/database.ts';

/** A message that was given up, as it stood in the queue. `at` is unix ms. */
export type DeadLetter = Omit<typeof deadLetters.$inferSelect, 'body' | 'resolvedAt'> & {
  readonly body: unknown;
};

export type DeadLettersRepository = ReturnType<typeof createDeadLettersRepository>;

export function createDeadLettersRepository(db: Database) {
  return {
    /** Keeps messages for an operator to look at. One that is kept already stays as it is. */
    async keep(letters: readonly DeadLetter[]): Promise<void> {
      const rows = letters.map((letter) => ({ ...letter, body: JSON.stringify(letter.body) ?? 'null' }));
      await db.run(sql`
        INSERT INTO dead_letters (id, queue, body, reason, attempts, at)
        SELECT value ->> 'id', value ->> 'queue', value ->> 'body', value ->> 'reason', value ->> 'attempts', value ->> 'at'
        FROM json_each(${JSON.stringify(rows)}) WHERE true ON CONFLICT DO NOTHING`);
    },
  };
}
