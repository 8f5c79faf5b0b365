import { z } from 'zod';
import { StepFailure } from './failure.ts';

export interface CheckedBot {
  /** The variables of the environment. */
  readonly vars: Readonly<Record<string, unknown>>;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
}

const response = z.object({
  result: z.object({
    username: z.string(),
    can_join_groups: z.boolean(),
    can_read_all_group_messages: z.boolean(),
  }),
});

/** Checks the bot's name and its settings at BotFather. @throws StepFailure */
export async function checkBot({ vars, token, fetch }: CheckedBot): Promise<void> {
  const body: unknown = await fetch(`${String(vars['TELEGRAM_API_URL'])}/bot${token}/getMe`)
    .then((each) => each.json())
    .catch(() => null);
  const { data } = response.safeParse(body);
  if (!data) {
    throw new StepFailure(
      'Telegram refuses the token of the bot.',
      'Check TELEGRAM_BOT_TOKEN; see docs/DEPLOY.md.',
    );
  }
  const { username, can_join_groups: canJoin, can_read_all_group_messages: canReadAll } = data.result;
  if (username.toLowerCase() !== String(vars['TELEGRAM_BOT_USERNAME']).toLowerCase()) {
    throw new StepFailure(
      `The token belongs to @${username}.`,
      'Correct TELEGRAM_BOT_USERNAME or the token.',
    );
  }
  if (!canJoin) {
    throw new StepFailure(
      "The bot can't be added to groups.",
      'Send /setjoingroups to @BotFather and choose Enable.',
    );
  }
  if (canReadAll) {
    throw new StepFailure(
      'Telegram would send the bot every message of its groups.',
      'Send /setprivacy to @BotFather and choose Enable.',
    );
  }
}
