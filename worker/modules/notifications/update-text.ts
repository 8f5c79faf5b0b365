import { composeMessage, type NamedToken, showPerson, showSymbol } from '../../shared/plain-text.ts';

export interface UpdateToTell extends NamedToken {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly message: string;
  readonly callUrl: string;
}

/** The message with a caller's update: caller, token, their text unchanged, link. */
export function composeUpdateText({
  callerName,
  callerHandle,
  message,
  callUrl,
  ...token
}: UpdateToTell): string {
  const head = (nameLength: number) =>
    `Update on ${showSymbol(token, nameLength)} from ${showPerson({ name: callerName, handle: callerHandle }, nameLength)}`;
  return composeMessage({ head, words: message, link: callUrl });
}
