import type { Pausable, Pause } from '#schema/contracts/pauses.ts';
import { AppError } from '../../../app/errors.ts';
import type { Database } from '../../../shared/database.ts';
import { createPausesRepository } from './pauses.repository.ts';

const ERRORS = {
  payments: {
    code: 'payments.paused',
    what: 'New payments are paused, so nothing was charged. A payment that you have already sent still counts.',
  },
  calls: {
    code: 'calls.paused',
    what: 'New calls are paused, so this call was not made. You can still update and end your active calls.',
  },
  posting: { code: 'shares.paused', what: 'Posting is paused, so nothing was posted on X.' },
} as const satisfies Record<Pausable, object>;

export type PausesService = ReturnType<typeof createPausesService>;

export function createPausesService(db: Database) {
  const repository = createPausesRepository(db);
  return {
    async list(): Promise<Pause[]> {
      const rows = await repository.list();
      // Sorted here, because ORDER BY reads a row more on every page, even of an empty table.
      const oldestFirst = rows.toSorted((one, other) => one.at - other.at);
      return oldestFirst.map(({ kind, reason, at }) => ({ kind, reason, since: new Date(at).toISOString() }));
    },

    isPaused: async (kind: Pausable) => (await repository.find(kind)) !== null,

    /** @throws payments.paused, calls.paused, shares.paused */
    async assertRunning(kind: Pausable): Promise<void> {
      const pause = await repository.find(kind);
      if (!pause) return;
      const { code, what } = ERRORS[kind];
      const { reason } = pause;
      throw new AppError({
        code,
        message: `${what} Reason: “${reason}” Try again later.`,
        details: { reason },
      });
    },
  };
}
