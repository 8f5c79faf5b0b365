export interface Bot {
  id: number;
  is_bot: true;
  first_name: string;
  username: string;
}

export const localBot: Bot = {
  id: 700_100_200,
  is_bot: true,
  first_name: 'SolCallers (local)',
  username: 'solcallers_local_bot',
};

export const localBotToken = '700100200:local-stand-in-token-that-opens-nothing';

/** Sent with each update until the product sets another secret with setWebhook. */
export const localWebhookSecret = 'local-webhook-secret';
