const LATEST = 20;
/** If all of the first answers are refusals, this many are enough. */
const FIRST = 3;

/**
 * Detects a rate limit of the whole bot, as opposed to one chat's: all answers so far were refusals, or
 * most of the latest 20.
 */
export function createBotLimit() {
  /** Retry-after seconds per answer; 0 if it was accepted. */
  let answers: number[] = [];

  return {
    note(retryAfterSeconds: number): void {
      answers = [...answers, retryAfterSeconds].slice(-LATEST);
    },
    /** Seconds to wait if the bot is limited, else 0. */
    waitSeconds(): number {
      const refusals = answers.filter((seconds) => seconds > 0).length;
      const isLimited = refusals > LATEST / 2 || (refusals >= FIRST && refusals === answers.length);
      return isLimited ? Math.max(...answers) : 0;
    },
    reset(): void {
      answers = [];
    },
  };
}
