import { ComputeBudgetProgram, PublicKey, TransactionInstruction, type Keypair } from '@solana/web3.js';
import { MEMO_PROGRAM } from '#schema/constants/money.ts';
import type {
  ConfirmTransactionResponse,
  OpenIntentBody,
  OpenIntentResponse,
  SendTransactionResponse,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { readResponse } from '../responses.ts';
import { createFundedWallet, rpc, toBase64 } from './chain.ts';
import { memo, naming, sign, transfer } from './transactions.ts';
import type { Person, TestApp } from '../test-app.ts';

export interface PaymentChanges {
  readonly callerAddress?: string;
  readonly callerLamports?: bigint;
  readonly platformLamports?: bigint;
  readonly platformAddress?: string;
  /** The memo; `null` leaves it out. Default: the intent's id. */
  readonly memo?: string | null;
  /** The reference to include; `null` leaves it out. */
  readonly reference?: string | null;
  readonly before?: readonly TransactionInstruction[];
  readonly after?: readonly TransactionInstruction[];
  /** The wallet that pays the platform's share. Default: the payer. */
  readonly platformPayer?: Keypair;
  readonly version?: 'legacy' | 0 | 1;
}

interface Payment {
  readonly terms: OpenIntentResponse;
  readonly payer: Keypair;
  readonly changes?: PaymentChanges;
}

export function openIntent(
  person: Person,
  callerId: string,
  options: Partial<OpenIntentBody> = {},
): Promise<OpenIntentResponse> {
  const body = { callerId, ...options };
  return readResponse<OpenIntentResponse>(person.post('/api/solana/get-latest-blockhash', body), 201);
}

/** Signs the transaction that pays an intent, with optional changes. */
export function signPayment({ terms: { intent, result }, payer, changes = {} }: Payment): Uint8Array {
  const { reference = intent.reference, memo: text = intent.id, before = [], after = [] } = changes;
  const { platformPayer = payer, version = 'legacy' } = changes;
  const toCaller = transfer({
    from: payer.publicKey,
    to: new PublicKey(changes.callerAddress ?? intent.callerAddress),
    lamports: changes.callerLamports ?? BigInt(intent.callerLamports),
  });
  const toPlatform = transfer({
    from: platformPayer.publicKey,
    to: new PublicKey(changes.platformAddress ?? intent.platformAddress),
    lamports: changes.platformLamports ?? BigInt(intent.platformLamports),
  });
  const legs = [reference === null ? toCaller : naming(toCaller, reference), toPlatform];
  return sign({
    instructions: [...before, ...legs, ...(text === null ? [] : [memo(text)]), ...after],
    signers: platformPayer === payer ? [payer] : [payer, platformPayer],
    blockhash: result.value.blockhash,
    version,
  });
}

/** Instructions that wallets add: a compute budget and a memo. */
export const walletExtras = (payer: Keypair) => ({
  before: [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
  ],
  after: [
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAM),
      keys: [{ pubkey: payer.publicKey, isSigner: true, isWritable: false }],
      data: Buffer.from('guarded by a wallet', 'utf8'),
    }),
  ],
});

/** Sends a transaction directly to the chain. With `skipPreflight`, even a failing transaction lands. */
export function land(transaction: Uint8Array, { skipPreflight = false } = {}): Promise<string> {
  return rpc<string>('sendTransaction', toBase64(transaction), { encoding: 'base64', skipPreflight });
}

export function send(person: Person, transaction: Uint8Array): Promise<Response> {
  return person.post('/api/solana/send-transaction', { transaction: toBase64(transaction) });
}

interface Claim {
  readonly terms: OpenIntentResponse;
  readonly callerId: string;
  readonly signature: string;
}

export function claimBody({ terms, callerId, signature }: Claim) {
  const platform = BigInt(terms.intent.platformLamports);
  const total = formatSol(BigInt(terms.intent.callerLamports) + platform);
  return {
    callerId,
    monthlyFee: formatSol(BigInt(terms.intent.feeLamports)),
    platformFee: formatSol(platform),
    totalAmount: total,
    transactionId: signature,
  };
}

/** Waits until landed transactions are confirmed. Finalized ones take 32 slots. */
export function waitUntilConfirmed(app: TestApp): Promise<void> {
  return app.advance(2_000);
}

/** Pays with the same three API calls as the page, by default from a new wallet. */
export async function pay({
  person,
  callerId,
  changes,
  days = 30,
  ...options
}: {
  person: Person;
  payer?: Keypair;
  callerId: string;
  changes?: PaymentChanges;
  days?: PeriodDays;
}): Promise<{ terms: OpenIntentResponse; signature: string; subscription: Subscription }> {
  const payer = options.payer ?? (await createFundedWallet());
  const terms = await openIntent(person, callerId, { days });
  const { result: signature } = await readResponse<SendTransactionResponse>(
    send(person, signPayment({ terms, payer, ...(changes ? { changes } : {}) })),
  );
  await readResponse<ConfirmTransactionResponse>(
    person.post('/api/solana/confirm-transaction', { signature }),
  );
  const subscription = await readResponse<Subscription>(
    person.post('/api/subscriptions', claimBody({ terms, callerId, signature })),
    201,
  );
  return { terms, signature, subscription };
}

/** The instructions with which the page requests the intent's compute units at its price. */
export function computeBudgetOf({ computeBudget }: OpenIntentResponse): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: computeBudget.computeUnitLimit }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: BigInt(computeBudget.microLamports) }),
  ];
}
