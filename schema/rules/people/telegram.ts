import { UPDATE_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { TOO_LONG_MESSAGES } from '../text/text-limits.ts';
import { cleanLines } from '../text/visible-text.ts';

const TELEGRAM_HANDLE_MIN_LENGTH = 5;
const TELEGRAM_HANDLE_MAX_LENGTH = 32;

const HANDLE_PATTERN = new RegExp(
  `^@?([A-Za-z0-9_]{${TELEGRAM_HANDLE_MIN_LENGTH},${TELEGRAM_HANDLE_MAX_LENGTH}})$`,
);
const HANDLE_LENGTHS = `${TELEGRAM_HANDLE_MIN_LENGTH} to ${TELEGRAM_HANDLE_MAX_LENGTH}`;

/** A username without the @ (null without one), or the reason it is refused. */
export type TelegramHandle = { readonly handle: string | null } | { readonly problem: string };

export function readTelegramHandle(text: string): TelegramHandle {
  const bare = text.trim();
  if (bare === '') return { handle: null };
  if (bare === '@') return { problem: 'Please enter your Telegram username' };
  const handle = HANDLE_PATTERN.exec(bare)?.[1];
  if (handle === undefined) {
    return { problem: `A Telegram username has ${HANDLE_LENGTHS} letters, digits and underscores.` };
  }
  return { handle };
}

export function withAtSign(handle: string): string {
  const bare = handle.trim();
  return bare === '' ? '' : `@${bare.replace(/^@+/, '')}`;
}

/** An update's text and its UTF-16 length, as Telegram counts. `problem`: why it is refused, or null. */
export function readUpdateMessage(typed: string) {
  const text = cleanLines(typed);
  const { length } = text;
  return { text, length, problem: problemOf(length) };
}

function problemOf(length: number): string | null {
  if (length === 0) return 'Please enter an update message';
  return length > UPDATE_MESSAGE_MAX_LENGTH ? TOO_LONG_MESSAGES.update : null;
}
