const LATEST = 20;
/** If all answers so far are refusals, this many mean that the bot is limited. */
const FIRST = 3;

/**
 * Distinguishes a rate limit of the whole bot from a limit of one chat. The bot is limited if the first three or more
 * answers are all refusals, or if most of the latest 20 are.
 */
export function createBotLimit() {
  /** For each answer, the seconds to wait before a retry, or 0 if the message was accepted. */
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
