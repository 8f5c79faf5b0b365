import type { WalletChallenge } from '#schema/contracts/wallets.ts';

export type SignInRequest = WalletChallenge['input'];

/** A signature and the signed bytes, which may include a prefix that the wallet added. */
export interface SignedText {
  readonly signedMessage: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * A browser wallet, through the Wallet Standard or an injected object. The wallet signs and the server sends,
 * so that the server can store a payment's signature before the broadcast. A wallet that can't sign alone
 * sends the transaction itself.
 */
export interface WalletAdapter {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly installUrl?: string;
  /**
   * Connects to an account.
   * @param options with `silent`, connects without a prompt. This works only if the user has allowed the site
   * before.
   * @returns the account's address in base58
   */
  readonly connect: (options: { readonly silent: boolean }) => Promise<string>;
  readonly disconnect: () => Promise<void>;
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** Signs and sends, only if the wallet can't sign alone. Nothing depends on the signature that it returns. */
  readonly signAndSendTransaction?: (transaction: Uint8Array) => Promise<void>;
  readonly signMessage?: (message: Uint8Array) => Promise<SignedText>;
  /** Signs in with Sign In With Solana. The wallet itself writes the text, and checks the site's origin. */
  readonly signIn?: (request: SignInRequest) => Promise<SignedText>;
  /** Reports the new address, or `null` if the wallet revoked access. Returns a function that stops. */
  readonly onAccountChange: (listener: (address: string | null) => void) => () => void;
}
