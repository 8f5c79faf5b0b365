import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { Chain } from '../stand-ins/chain/chain.ts';
import { tokenIssuer } from '../stand-ins/market/local-mints.ts';
import type { PlannedBuy } from './plan-buys.ts';
import { mintTo, openTokenAccount } from './token-instructions.ts';

const SOL = 1_000_000_000n;

/** Gives the buyers their SOL, and the issuer of all local tokens, who sells them, an account. */
export function fundMarket({ chain, buys }: { chain: Chain; buys: readonly PlannedBuy[] }): void {
  const spending = new Map<string, bigint>();
  for (const { buyer, lamports } of buys) {
    const address = buyer.publicKey.toBase58();
    spending.set(address, (spending.get(address) ?? SOL / 2n) + lamports);
  }
  for (const [address, lamports] of spending) chain.airdrop(address, lamports);
  chain.airdrop(tokenIssuer.publicKey.toBase58(), SOL);
}

/** Pays the issuer, who mints the tokens for the buyer in the same transaction. */
export function buyOnChain({ chain, buy }: { chain: Chain; buy: PlannedBuy }): void {
  const { buyer, token, lamports, amount } = buy;
  const [mint, owner, authority] = [new PublicKey(token.mint), buyer.publicKey, tokenIssuer.publicKey];
  const transaction = new Transaction({ feePayer: owner, ...chain.latestBlockhash() }).add(
    openTokenAccount({ mint, owner }),
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: authority, lamports }),
    mintTo({ mint, owner, authority, amount }),
  );
  transaction.sign(buyer, tokenIssuer);
  chain.submit(transaction.serialize({ verifySignatures: false }));
}
