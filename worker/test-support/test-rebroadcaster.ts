import type { Bindings } from '../app/env.ts';
import type { Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';

/** The rebroadcaster with an alarm that only `fire` runs. */
export interface TestRebroadcaster {
  /** Unix ms; `null` if no alarm is set. */
  readonly alarmAt: number | null;
  /** Moves the clock to the alarm and runs it. */
  fire(): Promise<void>;
}

export interface TestRebroadcasterOptions {
  readonly services: () => Services;
  readonly clock: Clock;
}

export function createTestRebroadcaster({ services, clock }: TestRebroadcasterOptions): {
  rebroadcaster: TestRebroadcaster;
  binding: Bindings['REBROADCASTER'];
} {
  let alarmAt: number | null = null;
  const wakeAt = async (at: number) => {
    alarmAt = Math.min(at, alarmAt ?? at);
  };
  const rebroadcaster: TestRebroadcaster = {
    get alarmAt() {
      return alarmAt;
    },
    async fire() {
      if (alarmAt === null) throw new Error('No alarm is set');
      if (alarmAt > clock.now()) await clock.sleep(alarmAt - clock.now());
      alarmAt = null;
      const next = await services().rebroadcast.run();
      if (next !== null) await wakeAt(next);
    },
  };
  return {
    rebroadcaster,
    binding: { getByName: () => ({ wakeAt }) } as unknown as Bindings['REBROADCASTER'],
  };
}
