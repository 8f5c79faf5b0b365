export class WalletError extends Error {
  override readonly name = 'WalletError';
}

export function createNoWalletError(): WalletError {
  return new WalletError('No Solana wallet found. Please install a Solana wallet extension.');
}

export function createConnectFailedError(cause?: unknown): WalletError {
  return new WalletError('Failed to connect to wallet. Please try again.', { cause });
}

export function createNotConnectedError(): WalletError {
  return new WalletError('Wallet not connected');
}

export function createCannotSignTextError(wallet: string): WalletError {
  return new WalletError(`${wallet} cannot sign messages. Choose another account or wallet.`);
}

export function createOtherAccountError(wallet: string): WalletError {
  return new WalletError(
    `${wallet} is using a different account. Switch to the connected account in the wallet and try again.`,
  );
}

/** True if the user declined: by EIP-1193's code, which Solana wallets also use, or the text. */
export function isDeclinedByUser(error: unknown): boolean {
  const { code, message } = readWalletError(error);
  return code === 4001 || /reject|declin|denied|cancel/i.test(message);
}

const METHOD_NOT_FOUND = -32601;
const UNSUPPORTED_METHOD = 4200;

/** True if the wallet doesn't support a method: by the codes of JSON-RPC and EIP-1193, or the text. */
export function isUnsupported(error: unknown): boolean {
  if (isDeclinedByUser(error)) return false;
  const { code, message } = readWalletError(error);
  if (code === METHOD_NOT_FOUND || code === UNSUPPORTED_METHOD) return true;
  return /not (?:yet )?(?:supported|implemented)|unsupported|not support/i.test(message);
}

/** Reads what a wallet threw, which may be anything. `message` is empty if it has none. */
export function readWalletError(error: unknown): { code: unknown; message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return { code, message: typeof message === 'string' ? message : '' };
}

const RESOURCE_UNAVAILABLE = -32002;
const REFUSED_AT_ONCE: ReadonlySet<unknown> = new Set([4001, 4100, UNSUPPORTED_METHOD, METHOD_NOT_FOUND]);
const OTHER_REQUEST = /already (?:pending|processing)|resource (?:is )?(?:not |un)available/i;

/**
 * True if a wallet certainly sent nothing after the prompt to sign and send. Only codes count, because a text may be
 * about the network, which can reject or cancel what the wallet sent. Solana's nodes use -32002 for failed simulations.
 */
export function didWalletSendNothing(error: unknown): boolean {
  const { code, message } = readWalletError(error);
  if (error instanceof WalletError || REFUSED_AT_ONCE.has(code)) return true;
  return code === RESOURCE_UNAVAILABLE && OTHER_REQUEST.test(message);
}

export type WalletRefusal = 'declined' | 'busy' | 'locked' | 'other_network';

/** Error codes from EIP-1193 and EIP-1474, which Solana wallets use too. */
const REFUSAL_CODES: ReadonlyMap<unknown, WalletRefusal> = new Map([
  [4001, 'declined'],
  [RESOURCE_UNAVAILABLE, 'busy'],
  [4100, 'locked'],
  [4900, 'other_network'],
  [4901, 'other_network'],
]);

export function readRefusal(error: unknown): WalletRefusal | null {
  const { code, message } = readWalletError(error);
  const known = REFUSAL_CODES.get(code);
  if (known) return known;
  if (/\b(?:network|cluster|chain)\b/i.test(message)) return 'other_network';
  if (/\b(?:un)?lock(?:ed)?\b|unauthori[sz]ed|not (?:been )?authori[sz]ed/i.test(message)) return 'locked';
  return isDeclinedByUser(error) ? 'declined' : null;
}
