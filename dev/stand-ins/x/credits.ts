/** X's prices in thousandths of a US dollar. */
export const PRICES = { readUser: 10, post: 15, postWithLink: 200 } as const;

export type Credits = ReturnType<typeof createCredits>;

/** Why X blocks all requests of the app. */
export type Block = 'credits' | 'spending_limit';

/** The app's money and client secret. The balance can go slightly below zero, as X documents; then X blocks all requests. */
export function createCredits() {
  let balance = Infinity;
  let kind: Block = 'credits';
  let isClientRefused = false;
  return {
    set(left: { usd: number; of: Block }) {
      balance = Math.round(left.usd * 1000);
      kind = left.of;
    },
    reset() {
      balance = Infinity;
      isClientRefused = false;
    },
    /** As if the app's client secret were another one. */
    refuseClient() {
      isClientRefused = true;
    },
    isClientRefused: () => isClientRefused,
    charge(price: number) {
      balance -= price;
    },
    /** Undefined while X accepts requests. */
    block: (): Block | undefined => (balance > 0 ? undefined : kind),
  };
}
