import { z } from 'zod';
import { isLoopbackUrl } from '../../controls/same-origin.ts';
import { badRequest } from '../bot-error.ts';
import { readJsonParameter } from './chat-access.ts';
import type { Button, PickButton } from '../telegram-state.ts';

const MAX_DATA_BYTES = 64;
const MAX_BUTTONS = 100;
const MAX_COPY_LENGTH = 256;

const markup = z
  .object({
    inline_keyboard: z
      .array(
        z.array(
          z.object({
            text: z.string(),
            url: z.string().optional(),
            callback_data: z.string().optional(),
            copy_text: z.object({ text: z.string() }).optional(),
          }),
        ),
      )
      .default([]),
  })
  .optional();

/** @throws BotError for a keyboard that Telegram refuses */
export function readKeyboard(parameter: unknown): Button[][] {
  const parsed = markup.safeParse(readJsonParameter(parameter));
  if (!parsed.success) throw badRequest("can't parse reply keyboard markup JSON object");
  const rows = parsed.data?.inline_keyboard ?? [];
  if (rows.flat().length > MAX_BUTTONS) throw badRequest('reply markup is too long');
  return rows.filter((row) => row.length > 0).map((row) => row.map(readButton));
}

function readButton({ text, url = '', callback_data: data = '', copy_text: copy }: SentButton): Button {
  if (text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  if (url !== '') {
    if (isButtonUrl(url)) return { text, url };
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  }
  if (copy !== undefined) {
    if (copy.text.length >= 1 && copy.text.length <= MAX_COPY_LENGTH) return { text, copy: copy.text };
    throw badRequest('COPY_TEXT_INVALID');
  }
  if (data === '') {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
  return { text, data };
}

const rights = z.record(z.string(), z.boolean()).default({});
const pickers = z.union([
  z.object({ remove_keyboard: z.literal(true) }),
  z.object({
    keyboard: z.array(
      z.array(
        z.object({
          text: z.string().min(1),
          request_chat: z.object({
            request_id: z.number().int(),
            chat_is_channel: z.boolean(),
            user_administrator_rights: rights,
            bot_administrator_rights: rights,
          }),
        }),
      ),
    ),
  }),
]);

/**
 * Reads buttons that share a chat with the bot. An empty list removes them; null leaves them as they are.
 * @throws BotError for rights of the bot that the user doesn't need
 */
export function readPickButtons(parameter: unknown): PickButton[] | null {
  const { data } = pickers.safeParse(readJsonParameter(parameter));
  if (data === undefined) return null;
  if ('remove_keyboard' in data) return [];
  return data.keyboard.flat().map(({ text, request_chat: request }) => {
    const granted = (all: Readonly<Record<string, boolean>>) =>
      Object.keys(all).filter((right) => all[right]);
    const [ofUser, ofBot] = [
      granted(request.user_administrator_rights),
      granted(request.bot_administrator_rights),
    ];
    if (!ofBot.every((right) => ofUser.includes(right))) throw badRequest('BOT_ADMIN_RIGHTS_INVALID');
    return { text, requestId: request.request_id, isChannel: request.chat_is_channel, rights: ofBot };
  });
}

interface SentButton {
  text: string;
  url?: string | undefined;
  callback_data?: string | undefined;
  copy_text?: { text: string } | undefined;
}

/**
 * Telegram accepts web addresses whose host has a dot. The stand-in also accepts `localhost`, where the
 * local product runs.
 */
function isButtonUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
  return url.hostname.includes('.') || isLoopbackUrl(url);
}
