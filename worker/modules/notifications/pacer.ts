import { SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';

/** How much time that nobody used may be caught up on at once: what two batches have between them. */
const CATCH_UP_MS = 200;

/** Those who wait for their turns, one after another in the order in which they asked. */
export interface Line {
  /** Waits for one's turn. */
  take(): Promise<void>;
  /** Gives a turn back that came to nothing: the next one is sooner for it. */
  giveBack(): void;
}

export interface Pacer {
  /** A line for one run. Turns are shared with the runs before it; its waiting is not, because a run may be broken off. */
  openLine(): Line;
}

/**
 * Lets things happen so often a second and no oftener: a token bucket, kept as the time of the next turn. A second that begins
 * with something to catch up on sees that beside its own turns.
 */
export function createPacer({ clock, perSecond }: { clock: Clock; perSecond: number }): Pacer {
  const interval = SECOND_MS / perSecond;
  /** Before the first turn nothing is caught up on: another pacer may have stood here until a moment ago. */
  let nextTurn: number | null = null;

  const takeNext = async () => {
    nextTurn = nextTurn === null ? clock.now() : Math.max(nextTurn, clock.now() - CATCH_UP_MS);
    if (nextTurn > clock.now()) await clock.sleep(nextTurn - clock.now());
    nextTurn += interval;
  };

  return {
    openLine() {
      let last = Promise.resolve();
      return {
        take: () => (last = last.then(takeNext)),
        giveBack: () => {
          nextTurn = (nextTurn ?? clock.now()) - interval;
        },
      };
    },
  };
}
