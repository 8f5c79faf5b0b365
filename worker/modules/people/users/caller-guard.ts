import { isListed } from '#schema/rules/people/standing.ts';
import { createNotACallerError, createSuspendedError } from './users.errors.ts';
import type { UsersRepository } from './users.repository.ts';

export type CallerGuard = ReturnType<typeof createCallerGuard>;

export function createCallerGuard(users: Pick<UsersRepository, 'findUser'>) {
  return {
    /** @throws users.not_a_caller */
    async assertIsCaller(userId: string): Promise<void> {
      if (!(await users.findUser(userId))?.caller) throw createNotACallerError();
    },

    /** @throws users.not_a_caller, users.suspended */
    async assertMayOpenCalls(userId: string): Promise<void> {
      const caller = (await users.findUser(userId))?.caller;
      if (!caller) throw createNotACallerError();
      if (!isListed(caller)) throw createSuspendedError();
    },
  };
}
