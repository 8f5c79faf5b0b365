import { JOIN_TIMER_NAME, type Bindings } from '../app/env.ts';
import type { Services } from '../app/services.ts';
import type { Clock } from '../ports/clock.ts';

/** The rebroadcaster with an alarm that only `fire` runs. */
export interface TestRebroadcaster {
  /** Unix ms; `null` if no alarm is set. */
  readonly alarmAt: number | null;
  /** Moves the clock to the alarm and runs it. */
  fire(): Promise<void>;
  /** The same for requests to join callers' chats. */
  fireJoins(): Promise<void>;
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
  let joinAlarmAt: number | null = null;
  const wakeJoinsAt = async (at: number) => {
    joinAlarmAt = Math.min(at, joinAlarmAt ?? at);
  };
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
    async fireJoins() {
      if (joinAlarmAt === null) throw new Error('No alarm is set');
      if (joinAlarmAt > clock.now()) await clock.sleep(joinAlarmAt - clock.now());
      joinAlarmAt = null;
      await services().chatAccess.checkDue();
    },
  };
  return {
    rebroadcaster,
    binding: {
      getByName: (name: string) => ({ wakeAt: name === JOIN_TIMER_NAME ? wakeJoinsAt : wakeAt }),
    } as unknown as Bindings['REBROADCASTER'],
  };
}
