import { dayOf, DELETIONS } from './backup-files.ts';

const keyOf = (userId: string, now: number) => `${DELETIONS}${dayOf(now)}/${userId}`;

/**
 * Notes outside of the database that an account was deleted, so that a restore can delete it again. Call it before the
 * account is deleted: if R2 doesn't respond, the deletion must fail and be tried again.
 */
export function createDeletionList({ bucket }: { bucket: Pick<R2Bucket, 'put' | 'delete'> }) {
  return {
    async add(userId: string, now: number): Promise<void> {
      await bucket.put(keyOf(userId, now), '');
    },

    /** For a deletion that was refused, so that no restore deletes the account. */
    async remove(userId: string, now: number): Promise<void> {
      await bucket.delete(keyOf(userId, now));
    },
  };
}
