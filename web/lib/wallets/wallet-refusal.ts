import { isDeclinedByUser, readWalletError } from './wallet-errors.ts';

export type WalletRefusal = 'declined' | 'busy' | 'locked' | 'other_network';

/** Error codes from EIP-1193 and EIP-1474, which Solana wallets use too. */
const REFUSAL_CODES: ReadonlyMap<unknown, WalletRefusal> = new Map([
  [4001, 'declined'],
  [-32002, 'busy'],
  [4100, 'locked'],
  [4900, 'other_network'],
  [4901, 'other_network'],
]);

/** Why a wallet refused a request, by its code or else its message. Null if that isn't known. */
export function readRefusal(error: unknown): WalletRefusal | null {
  const { code, message } = readWalletError(error);
  const known = REFUSAL_CODES.get(code);
  if (known) return known;
  if (/\b(?:network|cluster|chain)\b/i.test(message)) return 'other_network';
  if (/\b(?:un)?lock(?:ed)?\b|unauthori[sz]ed|not (?:been )?authori[sz]ed/i.test(message)) return 'locked';
  return isDeclinedByUser(error) ? 'declined' : null;
}
