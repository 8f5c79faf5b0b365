import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants/people.ts';
import type { AcceptanceBody } from '#schema/contracts/acceptances.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { createTermsRepository } from './terms.repository.ts';

export type TermsService = ReturnType<typeof createTermsService>;

export function createTermsService({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createTermsRepository(db);
  return {
    /** @throws terms.outdated unless the user has seen the current version */
    async accept({ userId, seen }: { userId: string; seen: AcceptanceBody }): Promise<void> {
      const isCurrent = DOCUMENTS.every((document) => seen[document] === DOCUMENT_VERSIONS[document]);
      if (!isCurrent) throw new AppError({ code: 'terms.outdated' });
      await repository.accept({ userId, at: clock.now() });
    },

    hasAcceptedAll: (userId: string) => repository.hasAcceptedAll(userId),

    async assertAccepted(userId: string): Promise<void> {
      if (!(await repository.hasAcceptedAll(userId))) throw new AppError({ code: 'terms.not_accepted' });
    },
  };
}
