import { DAY_MS } from '#schema/constants/time.ts';
import { ALARM_TEXTS, type AlarmText } from '#schema/rules/text/alarm-texts.ts';
import type { SendResult } from '../ports/messenger.ts';
import type { Attempts } from './attempts.ts';
import { describeError } from './describe-error.ts';

/** `details` contain ids and signatures, but no personal data. */
export interface KnownAlarm {
  readonly kind: keyof typeof ALARM_TEXTS;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A problem for the operators. The text of an outage depends on what users can't do, and why. */
export type Alarm =
  | KnownAlarm
  | (Omit<KnownAlarm, 'kind'> & { readonly kind: 'outage' | 'outage.over'; readonly text: AlarmText });

export type AlarmChannel = 'telegram' | 'browsers';

/** Null if nobody has set the channel up. */
type SendAlarm = (text: string) => Promise<Pick<SendResult, 'status'> | null>;

export interface AlarmsOptions {
  readonly channels: Readonly<Record<AlarmChannel, SendAlarm>>;
  /** Stores the alarm for the console, without its details: they may name a call that operators can't see. */
  readonly keep: (alarm: { readonly kind: string; readonly text: string }) => Promise<void>;
}

const MAX_TEXT_LENGTH = 4_000;

/**
 * Logs an alarm as `"event":"alarm"`, stores it for the console, and sends it to the operators' Telegram chat and
 * browsers. Never throws.
 */
export function createAlarm({ channels, keep }: AlarmsOptions) {
  const send = async (channel: AlarmChannel, { kind }: Alarm, text: string): Promise<void> => {
    const fail = (error: string) =>
      console.error(JSON.stringify({ event: 'alarm.unsent', kind, channel, error }));
    try {
      const sent = await channels[channel](text);
      if (sent !== null && sent.status !== 'sent') fail(sent.status);
    } catch (error) {
      fail(describeError(error));
    }
  };
  return async (alarm: Alarm): Promise<void> => {
    const { kind, details } = alarm;
    console.error(JSON.stringify({ event: 'alarm', kind, ...details }));
    const known = describe(alarm);
    const text = withDetails(known, details);
    await Promise.all([
      send('telegram', alarm, text),
      send('browsers', alarm, text),
      keep({ kind, text: known }).catch(() => undefined),
    ]);
  };
}

function describe(alarm: Alarm): string {
  const { effect, act } = 'text' in alarm ? alarm.text : ALARM_TEXTS[alarm.kind];
  return `${effect}\nWhat to do: ${act}`;
}

function withDetails(text: string, details: Alarm['details']): string {
  const lines = Object.entries(details).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [text, ...lines].join('\n').slice(0, MAX_TEXT_LENGTH);
}

interface LimitedAlarmOptions {
  readonly attempts: Pick<Attempts, 'take'>;
  readonly alarm: (alarm: Alarm) => Promise<unknown>;
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

/** Sends a test to each channel, and says for each what happened. */
export async function testAlarm(
  { telegram, browsers }: AlarmsOptions['channels'],
  text: string,
): Promise<{ message: string }> {
  const [chat, pushed] = await Promise.all(
    [telegram, browsers].map((send) => send(text).catch(() => ({ status: 'failed' as const }))),
  );
  const inTelegram = chat ? RESULTS[chat.status] : 'is not set up (OPERATOR_CHAT_ID)';
  const inBrowsers = pushed ? RESULTS[pushed.status] : 'no operator has turned notifications on';
  return { message: `Telegram: ${inTelegram}. Browsers: ${inBrowsers}.` };
}

const RESULTS: Readonly<Record<SendResult['status'], string>> = {
  sent: 'sent',
  unreachable: 'not reachable',
  rate_limited: 'limited, try again',
  failed: 'refused',
  no_response: 'no response',
};
