import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import { shortenAddress } from '#schema/rules/format.ts';
import { cutText, oneLine } from '#schema/rules/visible-text.ts';

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';
const WORD_JOINER = '\u2060';
/** What makes a link, a mention, a command, a tag or an address of the text that follows it, with what looks like it. The emoji `#️⃣` makes none. */
const LINK_MAKERS = /[.․﹒。．｡:﹕：/⁄∕／@﹫＠﹟＃$﹩＄]|#(?!\uFE0F)/gu;
/** Telegram makes numbers of phones and of bank cards clickable. */
const LONG_NUMBER = /(?:\p{Nd}[\s()._\p{Pd}]*){7,}/gu;
const THREE_DIGITS = /(?:\p{Nd}[\s()._\p{Pd}]*){3}/gu;
/** Longer than any name on X. */
const NAME_MAX_LENGTH = 100;
/** What stands behind so much of a name is never shown, whatever is left out of it. */
const NAME_READ_LENGTH = 1_000;
/** Enough to tell names apart. */
const NAME_MIN_LENGTH = 8;

/** Breaks up what Telegram's clients link in plain text by themselves. It looks as before. */
function unlink(text: string): string {
  return text
    .replace(LONG_NUMBER, (number) => number.replace(THREE_DIGITS, `$&${WORD_JOINER}`))
    .replace(LINK_MAKERS, `$&${WORD_JOINER}`);
}

function clean(name: string, maxLength: number): string {
  return unlink(cutText(oneLine(name.slice(0, NAME_READ_LENGTH)), maxLength));
}

/**
 * What somebody else has named, on one line that keeps its direction to itself: what stands around it is read as it was
 * written, and nothing in it can be clicked. `null` where nothing of it can be seen.
 */
export function isolateName(name: string, maxLength = NAME_MAX_LENGTH): string | null {
  const shown = clean(name, maxLength);
  return shown === '' ? null : `${FIRST_STRONG_ISOLATE}${shown}${POP_DIRECTIONAL_ISOLATE}`;
}

/** A handle on X with its @. On Telegram the same handle is somebody else's, so it leads nowhere. */
export function showHandle(handle: string, maxLength = NAME_MAX_LENGTH): string {
  return clean(`@${handle}`, maxLength);
}

/** A person as the head of a message names them: `Ada Byron (@ada)`, or `@ada` where the name cannot be seen. */
export function showPerson(
  { name, handle }: { name: string; handle: string },
  maxLength = NAME_MAX_LENGTH,
): string {
  const shown = isolateName(name, maxLength);
  return shown === null ? showHandle(handle, maxLength) : `${shown} (${showHandle(handle, maxLength)})`;
}

export interface NamedToken {
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** Base58. */
  readonly tokenMint: string;
}

/** A token as the head of a message names it: `WIF (dogwifhat)`. */
export function showToken(token: NamedToken, maxLength = NAME_MAX_LENGTH): string {
  const [symbol, name] = [isolateName(token.tokenSymbol, maxLength), isolateName(token.tokenName, maxLength)];
  return symbol === null || name === null ? showSymbol(token, maxLength) : `${symbol} (${name})`;
}

/** A token in one word: its symbol, or what else of it can be seen. */
export function showSymbol(
  { tokenSymbol, tokenName, tokenMint }: NamedToken,
  maxLength = NAME_MAX_LENGTH,
): string {
  return (
    isolateName(tokenSymbol, maxLength) ?? isolateName(tokenName, maxLength) ?? shortenAddress(tokenMint)
  );
}

export interface MessageParts {
  /** What we say, with names of at most so many UTF-16 units each. */
  readonly head: (nameLength: number) => string;
  /** What the caller wrote, or nothing. */
  readonly words?: string;
  readonly link: string;
}

/**
 * A message that Telegram takes: what we say, the caller's own words, and the link, which is always whole. Where it is too
 * long the names are cut first, and the words only where that does not suffice.
 */
export function composeMessage({ head, words = '', link }: MessageParts): string {
  const tail = `\n\n${link}`;
  const room = TELEGRAM_MESSAGE_MAX_LENGTH - tail.length;
  const own = words === '' ? '' : `\n\n${words.toWellFormed()}`;
  for (let nameLength = NAME_MAX_LENGTH; nameLength > NAME_MIN_LENGTH; nameLength -= 1) {
    const text = `${head(nameLength)}${own}`;
    if (text.length <= room) return `${text}${tail}`;
  }
  return `${cutText(`${head(NAME_MIN_LENGTH)}${own}`, room)}${tail}`;
}

/** 'Dec 3, 2026 at 10:00 UTC'. In a chat nobody's own time zone is known. */
export function describeMoment(at: number): string {
  const moment = new Date(at);
  return `${moment.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })} at ${moment.toISOString().slice(11, 16)} UTC`;
}
