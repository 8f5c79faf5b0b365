const LATEST = 20;
/** This many answers, all of them refusals, show a limit. */
const FIRST = 3;

/**
 * Tells a rate limit of the whole bot from one of a single chat: all answers so far were refusals, or most of the latest 20.
 */
export function createBotLimit() {
  /** Seconds to wait per answer, 0 for one that was no refusal. */
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
