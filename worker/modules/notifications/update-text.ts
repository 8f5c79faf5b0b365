import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants.ts';
import { cutText, isolateName } from './plain-text.ts';

export interface UpdateToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly message: string;
  readonly callUrl: string;
}

/**
 * An update as it stands in a chat: who says it about which token, the message, and the way to the
 * call. Plain text, so nothing in it is markup, and names stay where they stand whatever way they are read. What is too long for Telegram is cut from the head.
 */
export function composeUpdateText({ callerName, callerHandle, tokenSymbol, message, callUrl }: UpdateToTell): string {
  const rest = `\n\n${message}\n\n${callUrl}`;
  const head = `Update on ${isolateName(tokenSymbol)} from ${isolateName(callerName)} (@${callerHandle})`;
  return `${cutText(head, TELEGRAM_MESSAGE_MAX_LENGTH - rest.length)}${rest}`;
}
