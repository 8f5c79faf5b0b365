const LATEST = 20;
const MIN_FIRST_REFUSALS = 3;

/**
 * Distinguishes a rate limit of the whole bot from a limit of one chat. The bot counts as limited if Telegram
 * refused all messages so far (at least three), or most of the latest 20.
 */
export function createBotLimit() {
  /** For each message, the seconds to wait before a retry, or 0 if Telegram accepted it. */
  let responses: number[] = [];

  return {
    note(retryAfterSeconds: number): void {
      responses = [...responses, retryAfterSeconds].slice(-LATEST);
    },
    waitSeconds(): number {
      const refusals = responses.filter((seconds) => seconds > 0).length;
      const isLimited =
        refusals > LATEST / 2 || (refusals >= MIN_FIRST_REFUSALS && refusals === responses.length);
      return isLimited ? Math.max(...responses) : 0;
    },
    reset(): void {
      responses = [];
    },
  };
}
