import { MARK_WINDOW_MS, MAX_QUOTE_AGE_MS, SECOND_MS } from '#schema/constants.ts';
import { isOnTime } from '#schema/rules/calls/follower-return.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { SeenPrices } from './request-sources.ts';
import type { DueMark, NewMark, PriceMarksRepository } from './price-marks.repository.ts';

/** Marks are listed this long before they are due. It's shorter than the shortest delay, so no new call is missed. */
const LOOK_AHEAD_MS = 30 * SECOND_MS;

export interface DueMarksOptions {
  readonly marks: Pick<PriceMarksRepository, 'listDue'>;
  readonly clock: Clock;
}

export type DueMarks = ReturnType<typeof createDueMarks>;

/** The marks that become due during one run of the price refresh. */
export function createDueMarks({ marks, clock }: DueMarksOptions) {
  const byMint = new Map<string, DueMark[]>();
  let listedUntil: number | null = null;
  return {
    /** Lists the marks that may be due by now. Call it before prices are fetched. Most calls read nothing. */
    async update(): Promise<void> {
      const now = clock.now();
      if (listedUntil !== null && now < listedUntil) return;
      // A fresh price may be a minute old, and may be the mark of any time in the window before it.
      const from = listedUntil ?? now - MAX_QUOTE_AGE_MS - MARK_WINDOW_MS - 1;
      const until = now + LOOK_AHEAD_MS;
      for (const due of await marks.listDue({ from, until })) {
        const others = byMint.get(due.mint) ?? [];
        byMint.set(due.mint, [...others, due]);
      }
      listedUntil = until;
    },

    /** The marks that these prices are. A price that was seen too early or too late is none. */
    taken(seen: SeenPrices): NewMark[] {
      const now = clock.now();
      return [...seen].flatMap(([mint, { price, liquidityUsd, source, at }]) =>
        (byMint.get(mint) ?? [])
          .filter(({ dueAt }) => isOnTime({ dueAt, seenAt: at }))
          .map(({ callId, side, delayMinutes }) => ({
            callId,
            side,
            delayMinutes,
            price,
            liquidityUsd,
            source,
            seenAt: at,
            ageMs: Math.max(0, now - at),
          })),
      );
    },
  };
}
