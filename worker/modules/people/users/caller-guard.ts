import { isListed } from '#schema/rules/people/standing.ts';
import { AppError } from '../../../app/errors.ts';
import type { Database } from '../../../shared/database.ts';
import { createUsersRepository } from './users.repository.ts';

export type CallerGuard = ReturnType<typeof createCallerGuard>;

export function createCallerGuard(db: Database) {
  const users = createUsersRepository(db);
  return {
    async assertIsCaller(userId: string): Promise<void> {
      if (!(await users.findUser(userId))?.caller) throw new AppError({ code: 'users.not_a_caller' });
    },

    /** @throws users.not_a_caller, users.suspended, account.deletion_requested */
    async assertMayOpenCalls(userId: string): Promise<void> {
      const caller = (await users.findUser(userId))?.caller;
      if (!caller) throw new AppError({ code: 'users.not_a_caller' });
      if (!isListed(caller)) throw new AppError({ code: 'users.suspended' });
      if (caller.deletesAt !== null) throw new AppError({ code: 'account.deletion_requested' });
    },
  };
}
