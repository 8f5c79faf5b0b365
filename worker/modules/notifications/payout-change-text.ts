import { shortenAddress } from '#schema/rules/format.ts';
import { describeMoment } from '../../shared/plain-text.ts';

export interface PayoutChangeToTell {
  /** Base58; `null` where there was, or is, none. */
  readonly oldAddress: string | null;
  readonly newAddress: string | null;
  /** Unix ms. */
  readonly at: number;
  readonly dashboardUrl: string;
}

/** That a caller is paid elsewhere from now on, and what to do when it was not them. */
export function composePayoutChangeText({
  oldAddress,
  newAddress,
  at,
  dashboardUrl,
}: PayoutChangeToTell): string {
  const name = (address: string | null) => (address === null ? 'none' : shortenAddress(address));
  return [
    'Your payout wallet was changed.',
    `From: ${name(oldAddress)}\nTo: ${name(newAddress)}\nWhen: ${describeMoment(at)}`,
    'If this was not you, somebody can sign in as you: change your password on X and end its other sessions, then choose your own wallet again on your dashboard.',
    dashboardUrl,
  ].join('\n\n');
}
