import { registerWebhook } from './register-webhook.ts';

// TELEGRAM_BOT_TOKEN=... TELEGRAM_WEBHOOK_SECRET=... node dev/telegram/register.ts https://YOUR-DOMAIN

const [, , productUrl = ''] = process.argv;
const { TELEGRAM_BOT_TOKEN = '', TELEGRAM_WEBHOOK_SECRET = '' } = process.env;
const TELEGRAM_API_URL = process.env['TELEGRAM_API_URL'] ?? 'https://api.telegram.org';
await registerWebhook({
  productUrl,
  vars: { TELEGRAM_API_URL, TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET },
});
console.log(`The bot sends updates to ${productUrl} and has its commands.`);
