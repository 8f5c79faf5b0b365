import type { WalletChallenge } from '#schema/contracts/wallets.ts';

/** A Sign In With Solana request, as the server's challenge states it. */
export type SignInRequest = WalletChallenge['input'];

/** What a wallet answers when it signs text: the bytes that it signed (it may have framed them) and the signature. */
export interface SignedText {
  readonly signedMessage: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * One way to talk to any browser wallet, whether it announced itself through the Wallet Standard or
 * left an object on the window. It signs; it never sends, because the server has to know a payment's
 * signature before the chain does.
 */
export interface WalletAdapter {
  readonly id: string;
  readonly name: string;
  /** A data URI that the wallet itself announced, or `null`. */
  readonly icon: string | null;
  readonly installUrl?: string;
  /**
   * Asks for an account.
   * @param options `silent` asks without a prompt, for what was allowed before.
   * @returns the account's address in base58.
   */
  readonly connect: (options: { readonly silent: boolean }) => Promise<string>;
  readonly disconnect: () => Promise<void>;
  /** Signs a serialized transaction with the connected account and returns it serialized. */
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  readonly signMessage?: (message: Uint8Array) => Promise<SignedText>;
  /** Sign In With Solana: the wallet writes the text itself and looks whether it is this site that asks. */
  readonly signIn?: (request: SignInRequest) => Promise<SignedText>;
  /** Tells about another account, or `null` when the wallet took its permission back. Returns how to stop. */
  readonly onAccountChange: (listener: (address: string | null) => void) => () => void;
}
