import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants/time.ts';

/** How long a journey may continue after the schedule's last slot. */
const DRAIN_MS = 90 * SECOND_MS;
const TICK_MS = 5;

export interface Journey {
  readonly kind: string;
  /** Relative frequency among all journeys. */
  readonly weight: number;
  readonly run: () => Promise<unknown>;
}

export type Schedule = ReturnType<typeof createSchedule>;

export function createSchedule() {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const ended = Promise.withResolvers<void>();
  return {
    /** Waits. Resolves to false if the schedule has ended meanwhile. */
    async pause(ms: number) {
      await Promise.race([pause(ms, undefined, { ref: false }), ended.promise]);
      return isRunning;
    },
    /** Resolves at the next free slot. Before the schedule runs and after its end, resolves immediately. */
    nextSlot: () => (isRunning ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve()),
    /**
     * Gives `rate` slots a second, even if earlier requests are still running. If no journey waits for a slot, starts
     * one.
     */
    async run({ minutes, rate, start }: { minutes: number; rate: number; start: () => Promise<unknown> }) {
      const running = new Set<Promise<unknown>>();
      const turns = Math.round(minutes * 60 * rate);
      const beginsAt = Date.now();
      isRunning = true;
      for (let turn = 0; turn < turns; turn += 1) {
        while (Date.now() < beginsAt + (turn / rate) * SECOND_MS) await pause(TICK_MS);
        // A journey may end without a request, for example if there is nothing to update.
        for (let tries = 0; waiting.length === 0 && tries < 10; tries += 1) {
          const journey = start().finally(() => running.delete(journey));
          running.add(journey);
        }
        waiting.shift()?.();
      }
      isRunning = false;
      ended.resolve();
      for (const resolve of waiting.splice(0)) resolve();
      await Promise.race([Promise.all(running), pause(DRAIN_MS, undefined, { ref: false })]);
    },
  };
}

/** Picks a journey by its weight. @param share from 0 up to but not including 1 */
export function pickJourney(journeys: readonly Journey[], share: number): Journey {
  let left = share * journeys.reduce((sum, { weight }) => sum + weight, 0);
  const picked = journeys.find(({ weight }) => (left -= weight) < 0) ?? journeys[0];
  if (!picked) throw new Error('There is no journey');
  return picked;
}
