import {
  TELEGRAM_HANDLE_MAX_LENGTH,
  TELEGRAM_HANDLE_MIN_LENGTH,
  UPDATE_MESSAGE_MAX_LENGTH,
} from '#schema/constants.ts';
import { trimUnseen } from './visible-text.ts';

const HANDLE_PATTERN = new RegExp(
  `^@?([A-Za-z0-9_]{${TELEGRAM_HANDLE_MIN_LENGTH},${TELEGRAM_HANDLE_MAX_LENGTH}})$`,
);

/** What a username field means, without its @ and in the letters it was typed in, or why it is refused. */
export type TelegramHandle = { readonly handle: string } | { readonly problem: string };

/** Reads a Telegram username; a leading @ may be there or not. */
export function readTelegramHandle(text: string): TelegramHandle {
  const bare = text.trim();
  if (bare === '' || bare === '@') return { problem: 'Please enter your Telegram username' };
  const handle = HANDLE_PATTERN.exec(bare)?.[1];
  if (handle === undefined) {
    return {
      problem: `A Telegram username has ${TELEGRAM_HANDLE_MIN_LENGTH} to ${TELEGRAM_HANDLE_MAX_LENGTH} letters, digits and underscores.`,
    };
  }
  return { handle };
}

/** A username as it is written everywhere: with one @ in front. An empty field stays empty. */
export function withAtSign(handle: string): string {
  const bare = handle.trim();
  return bare === '' ? '' : `@${bare.replace(/^@+/, '')}`;
}

/** An update as it is sent, with its length as Telegram counts it (UTF-16 units), and why it is refused, if it is. */
export interface UpdateMessage {
  readonly text: string;
  readonly length: number;
  readonly problem: string | null;
}

/** Reads the message of an update: trimmed, not empty, short enough to stand in one Telegram message. */
export function readUpdateMessage(typed: string): UpdateMessage {
  const text = trimUnseen(typed);
  const { length } = text;
  return { text, length, problem: problemOf(length) };
}

function problemOf(length: number): string | null {
  if (length === 0) return 'Please enter an update message';
  return length > UPDATE_MESSAGE_MAX_LENGTH
    ? `An update has at most ${UPDATE_MESSAGE_MAX_LENGTH} characters.`
    : null;
}
