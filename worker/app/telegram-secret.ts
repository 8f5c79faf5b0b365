export const TELEGRAM_SECRET_HEADER = 'X-Telegram-Bot-Api-Secret-Token';
