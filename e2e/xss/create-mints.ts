import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import { solanaUrl } from '../settings.ts';
import { finalizeTransactions } from '../steps.ts';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const MINT_BYTES = 82;
const INITIALIZE_MINT = 20;
const DECIMALS = 6;
/** Micro-lamports per compute unit. */
const PRICE = 1_000_000;

/** Creates mints on the local chain, because a token that doesn't exist there can't be called. */
export async function createMints(mints: readonly Keypair[]): Promise<void> {
  const connection = new Connection(solanaUrl, 'confirmed');
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 1_000_000_000);
  await finalizeTransactions();
  const lamports = await connection.getMinimumBalanceForRentExemption(MINT_BYTES);
  const transaction = new Transaction().add(
    // The local network is busy, as in start-environments.ts.
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: PRICE }),
    ...mints.flatMap(({ publicKey }) => [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: publicKey,
        lamports,
        space: MINT_BYTES,
        programId: TOKEN_PROGRAM,
      }),
      new TransactionInstruction({
        programId: TOKEN_PROGRAM,
        keys: [{ pubkey: publicKey, isSigner: false, isWritable: true }],
        data: Buffer.from([INITIALIZE_MINT, DECIMALS, ...payer.publicKey.toBytes(), 0]),
      }),
    ]),
  );
  await connection.sendTransaction(transaction, [payer, ...mints]);
  await finalizeTransactions();
}
