import {
  type Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { Chain } from '../chain/chain.ts';
import { tokenIssuer } from '../market/local-mints.ts';
import { keypairFrom } from './fixtures.ts';
import type { PlannedBuy } from './plan-buys.ts';
import { transferTokens, mintTo, openTokenAccount } from './token-instructions.ts';

const SOL = 1_000_000_000n;
/** Each token takes two instructions, so a transaction has room for at most five tokens. */
const TOKENS_PER_TRANSACTION = 5;

/** The wallet that owns the tokens until the seeded callers buy them. */
const marketMaker = keypairFrom('market maker');

interface StockMarketOptions {
  chain: Chain;
  buys: readonly PlannedBuy[];
}

/** Gives the buyers SOL and gives the market maker tokens. */
export function fundMarket({ chain, buys }: StockMarketOptions): void {
  for (const [buyer, lamports] of totals(
    buys,
    ({ buyer }) => buyer.publicKey.toBase58(),
    ({ lamports }) => lamports,
  )) {
    chain.airdrop(buyer, lamports + SOL / 2n);
  }
  for (const { publicKey } of [marketMaker, tokenIssuer]) chain.airdrop(publicKey.toBase58(), SOL);
  const [owner, authority] = [marketMaker.publicKey, tokenIssuer.publicKey];
  const instructions = [
    ...totals(
      buys,
      ({ token }) => token.mint,
      ({ amount }) => amount,
    ),
  ].map(([address, amount]) => {
    const mint = new PublicKey(address);
    return [openTokenAccount({ mint, owner, payer: owner }), mintTo({ mint, owner, authority, amount })];
  });
  for (let start = 0; start < instructions.length; start += TOKENS_PER_TRANSACTION) {
    land({
      chain,
      signers: [marketMaker, tokenIssuer],
      instructions: instructions.slice(start, start + TOKENS_PER_TRANSACTION).flat(),
    });
  }
}

export function buyOnChain({ chain, buy }: { chain: Chain; buy: PlannedBuy }): void {
  const { buyer, token, lamports, amount } = buy;
  const [mint, from, to] = [new PublicKey(token.mint), marketMaker.publicKey, buyer.publicKey];
  const instructions = [
    openTokenAccount({ mint, owner: to, payer: to }),
    SystemProgram.transfer({ fromPubkey: to, toPubkey: from, lamports }),
    transferTokens({ mint, from, to, amount }),
  ];
  land({ chain, signers: [buyer, marketMaker], instructions });
}

interface LandOptions {
  chain: Chain;
  signers: readonly [Keypair, ...Keypair[]];
  instructions: readonly TransactionInstruction[];
}

function land({ chain, signers, instructions }: LandOptions): void {
  const transaction = new Transaction({
    feePayer: signers[0].publicKey,
    ...chain.latestBlockhash(),
  }).add(...instructions);
  transaction.sign(...signers);
  chain.submit(transaction.serialize());
}

function totals(
  buys: readonly PlannedBuy[],
  keyOf: (buy: PlannedBuy) => string,
  amountOf: (buy: PlannedBuy) => bigint,
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const buy of buys) sums.set(keyOf(buy), (sums.get(keyOf(buy)) ?? 0n) + amountOf(buy));
  return sums;
}
