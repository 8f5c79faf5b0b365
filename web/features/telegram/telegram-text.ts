import type { NOTIFICATION_KINDS } from '#schema/constants.ts';

/** What somebody gets who connects Telegram. */
export function whatArrives(isCaller: boolean): string {
  const followed =
    'In Telegram you get the calls of the callers you follow the moment they are made, their updates and ends, and reminders before a subscription ends.';
  return isCaller
    ? `${followed} You are also told of payments you receive, and of every change of your payout wallet.`
    : followed;
}

/** Each kind of message in words. */
export const kindWords: Readonly<
  Record<(typeof NOTIFICATION_KINDS)[number], { readonly label: string; readonly description: string }>
> = {
  call_opened: { label: 'New calls', description: 'The moment a caller you follow makes one.' },
  call_ended: {
    label: 'Ended calls',
    description: 'When a caller you follow ends one, and what it came to.',
  },
  call_update: { label: 'Updates on calls', description: 'What a caller writes about an open call.' },
  subscription_expiring: {
    label: 'Before a subscription ends',
    description: 'A week before, and once more a day before.',
  },
  subscription_expired: {
    label: 'When a subscription has ended',
    description: 'So that you know why its calls stay away.',
  },
  payment_received: {
    label: 'Payments you receive',
    description: 'When somebody’s payment to you is final.',
  },
};
