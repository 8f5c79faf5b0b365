/** What went wrong between the page and a wallet, in words for the person who reads it. */
export class WalletError extends Error {
  override readonly name = 'WalletError';
}

/** No wallet at all in this browser. */
export function createNoWalletError(): WalletError {
  return new WalletError('No Solana wallet found. Please install a Solana wallet extension.');
}

/** The wallet that was asked for is not in this browser. */
export function createWalletNotFoundError(wallet: string): WalletError {
  return new WalletError(`${wallet} wallet not found. Please install ${wallet} extension.`);
}

/** The wallet declined, or answered without an account. */
export function createConnectFailedError(cause?: unknown): WalletError {
  return new WalletError('Failed to connect to wallet. Please try again.', { cause });
}

/** An account was connected, but its wallet has left the page since. */
export function createNoConnectedWalletError(): WalletError {
  return new WalletError('No connected wallet found');
}

/** Something was to be signed before a wallet was connected. */
export function createNotConnectedError(): WalletError {
  return new WalletError('Wallet not connected');
}

/** The connected wallet lacks what it was asked for. */
export function createCannotSignTextError(wallet: string): WalletError {
  return new WalletError(`${wallet} cannot sign messages. Choose another account or wallet.`);
}

/** The wallet would sign, or has signed, with another account than the one that it was asked for. */
export function createOtherAccountError(wallet: string): WalletError {
  return new WalletError(
    `${wallet} signs with another account than the one it was asked for. Choose that account in the wallet and try again.`,
  );
}

/** Whether the person said no in the wallet (EIP-1193's code, which Solana wallets use too, or their words). */
export function isDeclinedByUser(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 4001 || (typeof message === 'string' && /reject|declin|denied|cancel/i.test(message));
}

const METHOD_NOT_FOUND = -32601;
const UNSUPPORTED_METHOD = 4200;

/** Whether the wallet said that it cannot do this at all (JSON-RPC's or EIP-1193's code, or words): a hardware account, say. */
export function isUnsupported(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || isDeclinedByUser(error)) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === METHOD_NOT_FOUND ||
    code === UNSUPPORTED_METHOD ||
    (typeof message === 'string' &&
      /not (?:yet )?(?:supported|implemented)|unsupported|not support/i.test(message))
  );
}
