import { BotError } from '../bot-error.ts';

interface Rate {
  limit: number;
  windowMs: number;
}

const overall: Rate = { limit: 30, windowMs: 1_000 };
/** One message a second in a chat. Telegram tolerates short bursts. */
const perChat: Rate = { limit: 5, windowMs: 5_000 };
const perGroup: Rate = { limit: 20, windowMs: 60_000 };

export type SendLimits = ReturnType<typeof createSendLimits>;

/** The limits of the Bots FAQ. In groups and channels, edits count, too. */
export function createSendLimits({ now, isLifted }: { now: () => number; isLifted: boolean }) {
  const sent = new Map<string, number[]>();
  let isEnforced = !isLifted;

  /** Returns when the next message is possible, in unix ms. */
  function nextAt(key: string, { limit, windowMs }: Rate): number {
    const times = (sent.get(key) ?? []).filter((at) => at > now() - windowMs);
    sent.set(key, times);
    return times.length < limit ? now() : (times.at(-limit) ?? now()) + windowMs;
  }

  return {
    setEnforced: (value: boolean) => void (isEnforced = value),
    reset(): void {
      isEnforced = !isLifted;
      sent.clear();
    },
    /** Counts a message. @throws BotError with `retry_after` if there were too many */
    take(chatId: number): void {
      if (!isEnforced) return;
      const rates: [string, Rate][] = [
        ['all', overall],
        [`chat ${chatId}`, perChat],
      ];
      if (chatId < 0) rates.push([`group ${chatId}`, perGroup]);
      const at = Math.max(...rates.map(([key, rate]) => nextAt(key, rate)));
      if (at > now()) {
        const seconds = Math.ceil((at - now()) / 1000);
        throw new BotError(`Too Many Requests: retry after ${seconds}`, {
          status: 429,
          retryAfterSeconds: seconds,
        });
      }
      for (const [key] of rates) sent.get(key)?.push(now());
    },
  };
}
