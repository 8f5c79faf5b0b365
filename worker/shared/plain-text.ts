import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import type { ChatKind } from '#schema/rules/access/telegram-chats.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { unlinked, WORD_JOINER } from '#schema/rules/text/unlinked.ts';
import { handleOf } from '#schema/rules/people/person-name.ts';
import { cutText, oneLine } from '#schema/rules/text/visible-text.ts';

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';
/** Telegram makes phone and card numbers clickable. */
const LONG_NUMBER = /(?:\p{Nd}[\s()._\p{Pd}]*){7,}/gu;
const THREE_DIGITS = /(?:\p{Nd}[\s()._\p{Pd}]*){3}/gu;
/** More than the maximum length of a name on X. */
const NAME_MAX_LENGTH = 100;
/** In UTF-16 units. Longer names are cut to this length before cleaning, which bounds its cost. */
const NAME_READ_LENGTH = 1_000;
const NAME_MIN_LENGTH = 8;

/** Inserts invisible characters so that Telegram's clients make no links. */
function unlink(text: string): string {
  return unlinked(text.replace(LONG_NUMBER, (number) => number.replace(THREE_DIGITS, `$&${WORD_JOINER}`)));
}

function clean(name: string, maxLength: number): string {
  return unlink(cutText(oneLine(name.slice(0, NAME_READ_LENGTH)), maxLength));
}

/**
 * Returns an untrusted name on one line, with nothing clickable. Direction marks isolate it from the text around it.
 * `null` if no character is visible.
 */
export function isolateName(name: string, maxLength = NAME_MAX_LENGTH): string | null {
  const shown = clean(name, maxLength);
  return shown === '' ? null : `${FIRST_STRONG_ISOLATE}${shown}${POP_DIRECTIONAL_ISOLATE}`;
}

/** A handle on X with its @, made unclickable. On Telegram, the same handle may belong to another person. */
export function showHandle(handle: string, maxLength = NAME_MAX_LENGTH): string {
  const shown = handleOf({ twitterHandle: handle });
  return shown === null ? 'an account (its X handle changed)' : clean(shown, maxLength);
}

export function showPerson(
  { name, handle }: { name: string; handle: string },
  maxLength = NAME_MAX_LENGTH,
): string {
  const shown = isolateName(name, maxLength);
  if (shown === null) return showHandle(handle, maxLength);
  if (handleOf({ twitterHandle: handle }) === null) return shown;
  return `${shown} (${showHandle(handle, maxLength)})`;
}

export interface NamedChat {
  readonly kind: ChatKind;
  readonly title: string;
}

export const showChat = ({ kind, title }: NamedChat): string =>
  `the ${kind} ${isolateName(title) ?? 'without a name'}`;

export interface NamedToken {
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly tokenMint: string;
}

export function showToken(token: NamedToken, maxLength = NAME_MAX_LENGTH): string {
  const [symbol, name] = [isolateName(token.tokenSymbol, maxLength), isolateName(token.tokenName, maxLength)];
  return symbol === null || name === null ? showSymbol(token, maxLength) : `${symbol} (${name})`;
}

/** A token's symbol; its name or mint if the symbol is invisible. */
export function showSymbol(
  { tokenSymbol, tokenName, tokenMint }: NamedToken,
  maxLength = NAME_MAX_LENGTH,
): string {
  return (
    isolateName(tokenSymbol, maxLength) ?? isolateName(tokenName, maxLength) ?? shortenAddress(tokenMint)
  );
}

export interface MessageParts {
  /** Writes what precedes the caller's text. `nameLength`: the maximum length of its names, in UTF-16 units. */
  readonly head: (nameLength: number) => string;
  readonly words?: string;
  readonly link: string;
}

/** A message within Telegram's length limit. Cuts the names first, then the caller's text, and never the link. */
export function composeMessage({ head, words = '', link }: MessageParts): string {
  const tail = `\n\n${link}`;
  const room = TELEGRAM_MESSAGE_MAX_LENGTH - tail.length;
  const body = words === '' ? '' : `\n\n${words.toWellFormed()}`;
  for (let nameLength = NAME_MAX_LENGTH; nameLength > NAME_MIN_LENGTH; nameLength -= 1) {
    const text = `${head(nameLength)}${body}`;
    if (text.length <= room) return `${text}${tail}`;
  }
  return `${cutText(`${head(NAME_MIN_LENGTH)}${body}`, room)}${tail}`;
}

/** Formats a time as 'Dec 3, 2026 at 10:00 UTC', because a chat doesn't reveal the reader's time zone. */
export function describeTime(at: number): string {
  const timestamp = new Date(at);
  return `${timestamp.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })} at ${timestamp.toISOString().slice(11, 16)} UTC`;
}
