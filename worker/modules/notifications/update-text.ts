import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';

export interface UpdateToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly message: string;
  readonly profileUrl: string;
}

const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/**
 * An update as it stands in a chat: who says it about which token, the message, and the way to the
 * caller. Plain text, so nothing in it is markup, and names stay where they stand whatever way they are read. What is too long for Telegram is cut from the head.
 */
export function composeUpdateText({ callerName, callerHandle, tokenSymbol, message, profileUrl }: UpdateToTell): string {
  const rest = `\n\n${message}\n\n${profileUrl}`;
  const head = `Update on ${isolate(tokenSymbol)} from ${isolate(callerName)} (@${callerHandle})`.replace(/\s+/g, ' ');
  return `${cut(head, TELEGRAM_MESSAGE_MAX_LENGTH - rest.length)}${rest}`;
}

/** Keeps a name's direction to itself. */
function isolate(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name.replace(BIDI_CONTROLS, '')}${POP_DIRECTIONAL_ISOLATE}`;
}

/** Cuts to UTF-16 units, between characters. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > length - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
