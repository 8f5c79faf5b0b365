import { z } from 'zod';
import { isLoopbackUrl } from '../../controls/same-origin.ts';
import { badRequest } from '../bot-error.ts';
import { readJsonParameter } from './json-parameter.ts';
import type { Button } from '../telegram-state.ts';

const MAX_DATA_BYTES = 64;
const MAX_BUTTONS = 100;

const markup = z
  .object({
    inline_keyboard: z
      .array(
        z.array(
          z.object({ text: z.string(), url: z.string().optional(), callback_data: z.string().optional() }),
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

function readButton({ text, url = '', callback_data: data = '' }: SentButton): Button {
  if (text.trim() === '') throw badRequest('inline keyboard button text must be non-empty');
  if (url !== '') {
    if (isButtonUrl(url)) return { text, url };
    throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  }
  if (data === '') {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  if (Buffer.byteLength(data) > MAX_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
  return { text, data };
}

interface SentButton {
  text: string;
  url?: string | undefined;
  callback_data?: string | undefined;
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
