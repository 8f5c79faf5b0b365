import type { ApiMethods } from 'grammy/types';
import { BOT_COMMANDS, GROUP_COMMANDS, TELEGRAM_UPDATES } from '#schema/constants/messages.ts';

/**
 * Sets the webhook and the commands of a bot over the Bot API.
 * @throws Error when refused
 */
export async function registerWebhook({
  productUrl,
  vars,
}: {
  productUrl: string;
  vars: Readonly<Record<string, string>>;
}): Promise<void> {
  const call = async <Method extends keyof ApiMethods>(
    method: Method,
    parameters: Parameters<ApiMethods[Method]>[0],
  ) => {
    const response = await fetch(`${vars['TELEGRAM_API_URL']}/bot${vars['TELEGRAM_BOT_TOKEN']}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    if (!response.ok) throw new Error(`Telegram refused ${method}: ${await response.text()}`);
  };
  await call('setWebhook', {
    url: `${productUrl}/api/telegram/webhook`,
    secret_token: vars['TELEGRAM_WEBHOOK_SECRET'] ?? '',
    allowed_updates: TELEGRAM_UPDATES,
  });
  await call('setMyCommands', { commands: BOT_COMMANDS, scope: { type: 'all_private_chats' } });
  await call('setMyCommands', { commands: GROUP_COMMANDS, scope: { type: 'all_group_chats' } });
}
