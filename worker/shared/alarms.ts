import { DAY_MS } from '#schema/constants/time.ts';
import type { Messenger } from '../ports/messenger.ts';
import type { Attempts } from './attempts.ts';
import { describeError } from './describe-error.ts';

/** A problem for the operator. `details` contain ids and signatures, but no personal data. */
export interface Alarm {
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const MAX_TEXT_LENGTH = 4_000;

/** Logs an alarm as `"event":"alarm"`, and sends it to the operator's Telegram chat if there is one. Never throws. */
export function createAlarm({
  messenger,
  chatId,
}: {
  messenger: Pick<Messenger, 'send'>;
  chatId: string | undefined;
}) {
  return async ({ kind, details }: Alarm): Promise<void> => {
    console.error(JSON.stringify({ event: 'alarm', kind, ...details }));
    if (chatId === undefined) return;
    const lines = Object.entries(details).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    try {
      const { status } = await messenger.send({
        chatId,
        text: [`Alarm: ${kind}`, ...lines].join('\n').slice(0, MAX_TEXT_LENGTH),
      });
      if (status !== 'sent') console.error(JSON.stringify({ event: 'alarm.unsent', kind, error: status }));
    } catch (error) {
      console.error(JSON.stringify({ event: 'alarm.unsent', kind, error: describeError(error) }));
    }
  };
}

interface LimitedAlarmOptions {
  readonly attempts: Pick<Attempts, 'take'>;
  readonly alarm: (alarm: Alarm) => Promise<void>;
}

/**
 * Raises each kind of alarm at most once in the given time, even if a job finds the problem every minute. With a
 * `person`, that holds for each person.
 */
export function createLimitedAlarm({ attempts, alarm }: LimitedAlarmOptions) {
  return async (
    problem: Alarm,
    { everyMs, person }: { everyMs: number; person?: string } = { everyMs: DAY_MS },
  ): Promise<void> => {
    const key = person === undefined ? problem.kind : `${problem.kind} ${person}`;
    const wait = await attempts.take({ action: 'alarm', person: key, limit: { burst: 1, everyMs } });
    if (wait === 0) await alarm(problem);
  };
}
