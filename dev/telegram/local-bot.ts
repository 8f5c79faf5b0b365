import type { Bot } from './chats.ts';

/** The bot that the local Telegram knows. */
export const localBot: Bot = {
  id: 700_100_200,
  is_bot: true,
  first_name: 'SolCallers (local)',
  username: 'solcallers_local_bot',
};

/** A token that the local Telegram takes for {@link localBot}; visibly no real one. */
export const localBotToken = '700100200:local-stand-in-token-that-opens-nothing';

/** The secret that updates carry until the product calls setWebhook with another. */
export const localWebhookSecret = 'local-webhook-secret';
