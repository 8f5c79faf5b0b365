import { Api, GrammyError, HttpError } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { ChatButton, SendResult } from '../ports/messenger.ts';

export const TELEGRAM_TIMEOUT_MS = 25 * SECOND_MS;

const DEFAULT_RETRY_SECONDS = 30;
const HTTP_BAD_REQUEST = 400;
const HTTP_FORBIDDEN = 403;
const HTTP_TOO_MANY = 429;
const HTTP_SERVER_ERROR = 500;
/** Only the description distinguishes a missing chat from other bad requests. */
const NO_SUCH_CHAT = /chat not found|user not found|peer_id_invalid/i;

/** A 5xx from Telegram or a proxy, perhaps with HTML instead of JSON. */
class ServerError extends Error {}

const fetchResponse: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status >= HTTP_SERVER_ERROR) throw new ServerError(`Telegram responded ${response.status}`);
  return response;
};

export const createTelegramApi = ({ apiUrl, token }: { apiUrl: string; token: string }): Api =>
  new Api(token, {
    apiRoot: apiUrl,
    timeoutSeconds: TELEGRAM_TIMEOUT_MS / SECOND_MS,
    fetch: fetchResponse,
  });

export const isRefusal = (error: unknown, description: RegExp): error is GrammyError =>
  error instanceof GrammyError && description.test(error.description);

export const isOutOfReach = (error: unknown): boolean =>
  error instanceof GrammyError &&
  (error.error_code === HTTP_FORBIDDEN ||
    (error.error_code === HTTP_BAD_REQUEST && NO_SUCH_CHAT.test(error.description)));

/**
 * Converts an error into a result.
 * @throws the error if the message certainly did not arrive and may be sent again
 */
export function readSendError(error: unknown): Exclude<SendResult, { status: 'sent' }> {
  if (error instanceof HttpError) {
    if (error.error instanceof ServerError) throw error.error;
    return { status: 'no_response', cause: error.error };
  }
  if (isOutOfReach(error)) return { status: 'unreachable' };
  if (error instanceof GrammyError && error.error_code === HTTP_TOO_MANY) {
    return {
      status: 'rate_limited',
      retryAfterSeconds: error.parameters.retry_after ?? DEFAULT_RETRY_SECONDS,
    };
  }
  throw error;
}

export const withoutPreview = { link_preview_options: { is_disabled: true } };

export function keyboardOf(rows: readonly (readonly ChatButton[])[]) {
  if (rows.flat().length === 0) return {};
  const inline_keyboard = rows.map((row) =>
    row.map((button): InlineKeyboardButton => {
      if ('url' in button) return { text: button.text, url: button.url };
      return { text: button.text, callback_data: button.action };
    }),
  );
  return { reply_markup: { inline_keyboard } };
}
