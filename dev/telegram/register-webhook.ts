/**
 * Tells the local Telegram where the product takes updates, over the Bot API, as a deploy does.
 * @throws Error when it is refused.
 */
export async function registerWebhook({ productUrl, vars }: { productUrl: string; vars: Readonly<Record<string, string>> }): Promise<void> {
  const response = await fetch(`${vars['TELEGRAM_API_URL']}/bot${vars['TELEGRAM_BOT_TOKEN']}/setWebhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${productUrl}/api/telegram/webhook`, secret_token: vars['TELEGRAM_WEBHOOK_SECRET'], allowed_updates: ['message'] }),
  });
  if (!response.ok) throw new Error(`The local Telegram refused the webhook: ${await response.text()}`);
}
