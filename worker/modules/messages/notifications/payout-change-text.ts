import { shortenAddress } from '#schema/rules/text/format.ts';
import { describeTime } from '../../../shared/plain-text.ts';

interface PayoutChange {
  /** The earlier wallet in base58; null if there was none. */
  readonly oldAddress: string | null;
  readonly newAddress: string | null;
  readonly at: number;
  readonly dashboardUrl: string;
}

/** Writes the message about a new payout wallet. It says what to do if the caller didn't change the wallet. */
export function composePayoutChangeText(change: PayoutChange): string {
  const name = (address: string | null) => (address === null ? 'none' : shortenAddress(address));
  return [
    'Your payout wallet was changed.',
    `From: ${name(change.oldAddress)}\nTo: ${name(change.newAddress)}\nWhen: ${describeTime(change.at)}`,
    "If you didn't change it, someone else can sign in to your account. On X, change your password and log out of all " +
      'other sessions. Then, on your dashboard, log out all others and choose your own wallet again.',
    change.dashboardUrl,
  ].join('\n\n');
}
