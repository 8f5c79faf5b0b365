import type { Messenger } from '../ports/messenger.ts';

/** Something that an operator has to look into. `details` name rows and signatures, never people. */
export interface Alarm {
  readonly kind: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Tells the operator: a log line at error level with `"event":"alarm"`, and a message to the operator's
 * Telegram chat where one is set. It never throws: an alarm stops nothing.
 */
export function createAlarm({ messenger, chatId }: { messenger: Messenger; chatId: string | undefined }) {
  return async ({ kind, details }: Alarm): Promise<void> => {
    console.error(JSON.stringify({ event: 'alarm', kind, ...details }));
    if (chatId === undefined) return;
    const lines = Object.entries(details).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    try {
      const { status } = await messenger.send({
        chatId,
        text: [`Alarm: ${kind}`, ...lines].join('\n').slice(0, MAX_LENGTH),
      });
      if (status !== 'sent') console.error(JSON.stringify({ event: 'alarm.unsent', kind, error: status }));
    } catch (error) {
      console.error(JSON.stringify({ event: 'alarm.unsent', kind, error: String(error) }));
    }
  };
}

const MAX_LENGTH = 4_000;
