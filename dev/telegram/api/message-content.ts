import { badRequest } from '../bot-error.ts';
import { readText, type Parameters, type Target } from './chat-access.ts';

const MAX_TEXT_LENGTH = 4096;
const MAX_CAPTION_LENGTH = 1024;

export const idOf = (target: Target) => (target.group ?? target.user).id;

export function readMessageText(parameters: Parameters): string {
  refuseFormatting(parameters);
  const text = readText(parameters['text']);
  if (text.trim() === '') throw badRequest('message text is empty');
  return text;
}

export function readCaption(parameters: Parameters): string {
  refuseFormatting(parameters);
  return readText(parameters['caption']);
}

/** Storing formatting unparsed would hide missing escapes. */
function refuseFormatting(parameters: Parameters): void {
  if (readText(parameters['parse_mode']) !== '') {
    throw badRequest('the local stand-in reads plain text only');
  }
}

export function checkLength({ text, isCaption }: { text: string; isCaption: boolean }): void {
  if (isCaption && text.length > MAX_CAPTION_LENGTH) throw badRequest('message caption is too long');
  if (!isCaption && text.length > MAX_TEXT_LENGTH) throw badRequest('message is too long');
}
