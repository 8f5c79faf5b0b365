import { describe, expect, it } from 'vitest';
import { createPacer } from './pacer.ts';

/** A clock at which sleeping is the only thing that takes time. */
function createClock() {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

/** When each of so many turns came, in ms from the first. */
async function takeTurns({
  clock,
  line,
  count,
}: {
  clock: ReturnType<typeof createClock>;
  line: { take(): Promise<void> };
  count: number;
}): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    await line.take();
    times.push(clock.now());
  }
  return times.map((at) => at - (times[0] ?? 0));
}

describe('a pacer of 25 a second', () => {
  it('gives a turn every 40 ms, from the first on', async () => {
    const clock = createClock();
    const line = createPacer({ clock, perSecond: 25 }).openLine();
    expect(await takeTurns({ clock, line, count: 5 })).toEqual([0, 40, 80, 120, 160]);
  });

  it('catches up on 200 ms after a gap, and on no more: never above 30 in a second', async () => {
    const clock = createClock();
    const pacer = createPacer({ clock, perSecond: 25 });
    await takeTurns({ clock, line: pacer.openLine(), count: 10 });
    await clock.sleep(60_000);
    const times = await takeTurns({ clock, line: pacer.openLine(), count: 60 });
    expect(times.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 0, 40, 80]);
    for (const from of times) {
      expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(30);
    }
  });

  it('loses nothing to a gap that it can catch up on', async () => {
    const clock = createClock();
    const pacer = createPacer({ clock, perSecond: 25 });
    const start = clock.now();
    for (let batch = 0; batch < 10; batch += 1) {
      await takeTurns({ clock, line: pacer.openLine(), count: 100 });
      await clock.sleep(150);
    }
    expect(clock.now() - start).toBeLessThanOrEqual(1_000 * 40 + 150);
  });

  it('gives a turn that came to nothing to the next', async () => {
    const clock = createClock();
    const line = createPacer({ clock, perSecond: 25 }).openLine();
    await takeTurns({ clock, line, count: 3 });
    line.giveBack();
    expect(await takeTurns({ clock, line, count: 3 })).toEqual([0, 40, 80]);
    const refused = createPacer({ clock, perSecond: 25 }).openLine();
    const start = clock.now();
    for (let turn = 0; turn < 10; turn += 1) {
      await refused.take();
      refused.giveBack();
    }
    expect(clock.now() - start).toBe(0);
  });

  it('lets those who ask at once through one after another', async () => {
    const clock = createClock();
    const line = createPacer({ clock, perSecond: 25 }).openLine();
    const start = clock.now();
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => line.take().then(() => times.push(clock.now() - start))),
    );
    expect(times).toEqual([0, 40, 80, 120]);
  });

  it('goes on after a run that was broken off while it waited', async () => {
    const clock = createClock();
    let isStuck = false;
    const pacer = createPacer({
      clock: { now: clock.now, sleep: (ms) => (isStuck ? new Promise(() => undefined) : clock.sleep(ms)) },
      perSecond: 25,
    });
    await pacer.openLine().take();
    isStuck = true;
    void pacer.openLine().take();
    await Promise.resolve();
    isStuck = false;
    expect(await takeTurns({ clock, line: pacer.openLine(), count: 2 })).toEqual([0, 40]);
  });
});
