import {
  PublicKey,
  SystemInstruction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { MEMO_PROGRAM } from '#schema/constants/money.ts';
import type { ComputeBudgetResponse, PaymentIntent } from '#schema/contracts/payments.ts';
import { matchTransfers, type PaymentTransaction, type Transfer } from '#schema/rules/money/payment.ts';
import { buildTransaction, transferWithReference } from '#web/lib/wallets/build-transaction.ts';
import { readTerms } from './payment-terms.ts';

export interface PaymentInput {
  readonly intent: PaymentIntent;
  readonly payer: string;
  readonly blockhash: string;
  readonly computeBudget: ComputeBudgetResponse;
}

/**
 * Builds the unsigned transaction that pays an intent: one transfer to the caller and one to the platform, both
 * with the intent's reference. Import this module lazily, because it loads web3.js.
 * @throws if the built transaction does not pay exactly the intent
 */
export function buildPayment({ intent, payer, blockhash, computeBudget }: PaymentInput): Uint8Array {
  const terms = readTerms(intent);
  const { reference } = intent;
  const leg = (to: string, lamports: bigint) =>
    transferWithReference({ from: payer, to, lamports, reference });
  const bytes = buildTransaction({ payer, blockhash, computeBudget }, [
    leg(terms.callerAddress, terms.callerLamports),
    leg(terms.platformAddress, terms.platformLamports),
    // With the intent's id in a memo, the server finds the payment in a list of transactions.
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAM),
      keys: [],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- web3.js only copies the bytes, so it needs no Buffer.
      data: new TextEncoder().encode(intent.id) as TransactionInstruction['data'],
    }),
  ]);
  const verdict = matchTransfers(readPayment(bytes), { ...terms, reference });
  if ('mismatch' in verdict || verdict.payer !== payer) {
    throw new Error('The built transaction does not match the intent.');
  }
  return bytes;
}

/**
 * The fee payer's signature in base58, which identifies the transaction; `null` if it's missing, or if the wallet has
 * signed another transaction, which doesn't name this reference.
 */
export function readSignature(input: { signed: Uint8Array; reference: string }): string | null {
  const { signatures, message } = VersionedTransaction.deserialize(input.signed);
  const [signature] = signatures;
  const isOurs = message.staticAccountKeys.some((key) => key.toBase58() === input.reference);
  return isOurs && signature?.some((byte) => byte !== 0) ? bs58.encode(signature) : null;
}

function readPayment(bytes: Uint8Array): PaymentTransaction {
  const transaction = Transaction.from(bytes);
  const message = transaction.compileMessage();
  const accounts = message.accountKeys.map((key) => key.toBase58());
  const ofSystem = transaction.instructions.filter(({ programId }) =>
    programId.equals(SystemProgram.programId),
  );
  const transfers = ofSystem.map((instruction): Transfer => {
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction);
    return { source: fromPubkey.toBase58(), destination: toPubkey.toBase58(), lamports };
  });
  return { accounts, signers: accounts.slice(0, message.header.numRequiredSignatures), transfers };
}
