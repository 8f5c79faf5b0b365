/** The action of the buttons under the bot's last card in a private chat. */
export type Offer =
  | {
      readonly kind: 'call';
      readonly mint: string;
      readonly symbol: string;
      readonly name: string;
      /** The price on the card, a decimal string in USD. */
      readonly price: string;
    }
  /** The caller chooses the call to update. */
  | { readonly kind: 'update'; readonly message: string; readonly callIds: readonly string[] }
  /** The caller chooses the call to end. */
  | { readonly kind: 'choose_end'; readonly callIds: readonly string[] }
  | {
      readonly kind: 'end';
      readonly callId: string;
      /** The price on the card; null if there was none. */
      readonly price: string | null;
      /** False once the caller has seen that the gain won't count. */
      readonly isOnlyIfCounted: boolean;
    };

/** A button of a card: Confirm, Cancel, or the position of a call in the offer. */
export type Choice = 'yes' | 'no' | number;

const ACTION = /^o:([\w-]{43}):(yes|no|\d{1,2})$/;

/** The text that a button sends back, of at most 64 bytes. */
export const actionOf = (nonce: string, choice: Choice): string => `o:${nonce}:${choice}`;

/** Null for the action of another button. */
export function readAction(action: string): { readonly nonce: string; readonly choice: Choice } | null {
  const [, nonce, choice] = ACTION.exec(action) ?? [];
  if (nonce === undefined || choice === undefined) return null;
  return { nonce, choice: choice === 'yes' || choice === 'no' ? choice : Number(choice) };
}
