import type {
  CallerResults,
  Comparison,
  ComparisonQuery,
  FoundResults,
  ResultsQuery,
} from '#schema/contracts/callers.ts';
import { compareResults } from '#schema/rules/calls/compare-results.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { describeCaller } from './caller-view.ts';
import { createCallersRepository } from './callers.repository.ts';

/** The results of callers for the calculator. They are the same for every viewer, so that caches may share them. */
export function createCallerResults({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createCallersRepository(db);

  const listResults = async ({ callers: names, since }: ResultsQuery): Promise<FoundResults[]> => {
    const rows = await repository.listResults({ names, since: since === undefined ? 0 : Date.parse(since) });
    return rows
      .filter(({ is_hidden: isHidden }) => !isHidden)
      .map(({ calls, fees, openCalls, ...row }) => ({
        caller: describeCaller(row, clock.now()),
        calls,
        fees,
        openCalls,
      }));
  };

  return {
    /** @throws callers.not_found */
    async results(usernameOrId: string): Promise<CallerResults> {
      const [found] = await listResults({ callers: [usernameOrId] });
      if (!found) throw new AppError({ code: 'callers.not_found' });
      const { calls, fees, openCalls } = found;
      return { calls, fees, openCalls };
    },

    listResults,

    async compare({ callers, amount: stakeUsd, since }: ComparisonQuery): Promise<Comparison> {
      return compareResults(await listResults({ callers }), { stakeUsd, since, until: clock.now() });
    },
  };
}
