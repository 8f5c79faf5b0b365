/** How many of the latest answers are looked at. */
const LATEST = 20;
/** So many refusals and nothing else are enough to see it. */
const FIRST = 3;

/**
 * Whether it is the bot that Telegram takes no more from, and not one chat: every answer so far was a refusal, or most of
 * the latest ones. `refusals` says of each answer, in order, whether it was one.
 */
export function isBotLimited(refusals: readonly boolean[]): boolean {
  if (refusals.length >= FIRST && refusals.every(Boolean)) return true;
  return refusals.slice(-LATEST).filter(Boolean).length > LATEST / 2;
}
