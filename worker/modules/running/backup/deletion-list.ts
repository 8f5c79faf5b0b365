import { dayOf, DELETIONS } from './backup-files.ts';

const keyOf = (userId: string, now: number) => `${DELETIONS}${dayOf(now)}/${userId}`;

/**
 * Lists deleted accounts outside of the database, so that a restore can delete them again. Call `add` before the
 * account is deleted: if R2 doesn't respond, the deletion must fail and be tried again.
 */
export function createDeletionList({ bucket }: { bucket: Pick<R2Bucket, 'put' | 'delete'> }) {
  return {
    async add(userId: string, now: number): Promise<void> {
      await bucket.put(keyOf(userId, now), '');
    },

    /** Removes an account whose deletion was refused, so that no restore deletes it. */
    async remove(userId: string, now: number): Promise<void> {
      await bucket.delete(keyOf(userId, now));
    },
  };
}
