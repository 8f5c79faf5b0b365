/** What somebody gets who connects Telegram. */
export const WHAT_ARRIVES = 'In Telegram you get updates of the callers you follow the moment they are sent, reminders before a subscription ends, and a word when your payout wallet changes.';
