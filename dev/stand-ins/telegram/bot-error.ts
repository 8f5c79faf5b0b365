interface BotErrorOptions {
  status?: 400 | 403 | 409 | 429;
  retryAfterSeconds?: number;
  migrateToChatId?: number;
}

/** A refusal of the Bot API. */
export class BotError extends Error {
  readonly status: 400 | 403 | 409 | 429;
  /** The `parameters` of the response, if any. */
  readonly parameters: { retry_after?: number; migrate_to_chat_id?: number } | undefined;

  constructor(
    description: string,
    { status = 400, retryAfterSeconds, migrateToChatId }: BotErrorOptions = {},
  ) {
    super(description);
    this.status = status;
    if (retryAfterSeconds !== undefined) this.parameters = { retry_after: retryAfterSeconds };
    if (migrateToChatId !== undefined) this.parameters = { migrate_to_chat_id: migrateToChatId };
  }
}

export const badRequest = (reason: string) => new BotError(`Bad Request: ${reason}`);
export const forbidden = (reason: string) => new BotError(`Forbidden: ${reason}`, { status: 403 });

/** An action that the app on a phone would not allow. */
export class UserError extends Error {}
