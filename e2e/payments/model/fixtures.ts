import { Keypair } from '@solana/web3.js';

const keypair = (number: number) => Keypair.fromSeed(new Uint8Array(32).fill(number));

/** Names are user ids. Dora is both a follower and a caller. */
export const FOLLOWERS = ['ada', 'ben', 'cyd', 'dora'] as const;
export const CALLERS = ['cleo', 'dora'] as const;
export const PEOPLE = ['ada', 'ben', 'cyd', 'cleo', 'dora'] as const;

export type Name = (typeof PEOPLE)[number];
export type CallerName = (typeof CALLERS)[number];

export const PAIRS = FOLLOWERS.flatMap((follower) =>
  CALLERS.filter((caller) => caller !== follower).map((caller) => ({ follower, caller })),
);

/** Wallets that people pay from. The last wallet holds too little SOL. */
export const PAYERS = [keypair(1), keypair(2), keypair(3), keypair(4)] as const;
export const POOR_PAYER = 3;
export const PAYOUTS: Readonly<Record<CallerName, readonly [Keypair, Keypair]>> = {
  cleo: [keypair(11), keypair(12)],
  dora: [keypair(13), keypair(14)],
};
export const PLATFORM = keypair(21);
/** The wallet that funds all other wallets. */
export const TREASURY = keypair(22);

/** Prices in SOL; `null` is Free. A tenth of 0.123456789 SOL isn't a whole number of lamports. */
export const FEES = [null, '0.5', '0.123456789', '1'] as const;
