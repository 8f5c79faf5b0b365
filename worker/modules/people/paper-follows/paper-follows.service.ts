import { MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { describeCallerSummary } from '../../money/callers/caller-summary.ts';
import { createPaperFollowsRepository, type PaperPair } from './paper-follows.repository.ts';

/** Callers whom a user follows with an imagined amount. The browser computes the results from public calls. */
export function createPaperFollowsService({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createPaperFollowsRepository(db);
  const list = async (userId: string): Promise<PaperFollow[]> =>
    (await repository.listOfUser(userId)).map(({ id, amountUsd, since, ...caller }) => ({
      caller: describeCallerSummary(id, caller),
      amountUsd,
      since: new Date(since).toISOString(),
    }));

  return {
    list,

    async follow(follow: PaperPair & { amountUsd: number | null }): Promise<PaperFollow[]> {
      await repository.save({ ...follow, since: clock.now() });
      const follows = await list(follow.userId);
      if (follows.some(({ caller }) => caller.id === follow.callerId)) return follows;
      const isFull = follows.length >= MAX_PAPER_FOLLOWS;
      throw new AppError({ code: isFull ? 'paper_follows.too_many' : 'callers.not_found' });
    },

    async unfollow(pair: PaperPair): Promise<PaperFollow[]> {
      await repository.remove(pair);
      return list(pair.userId);
    },
  };
}
