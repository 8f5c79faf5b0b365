/** An invisible character that interrupts what a service would make clickable. */
export const WORD_JOINER = '\u2060';

/**
 * Characters that make a link, mention, command, hashtag, cashtag or address, and characters that look like
 * them. A `#` in the emoji `#️⃣` makes no hashtag.
 */
const LINK_MAKERS = /[.․﹒。．｡:﹕：/⁄∕／@﹫＠﹟＃$﹩＄]|#(?!\uFE0F)/gu;

/** The text with invisible characters, so that Telegram and X make no links and mentions of it. */
export const unlinked = (text: string): string => text.replace(LINK_MAKERS, `$&${WORD_JOINER}`);
