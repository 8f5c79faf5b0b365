import { ComputeBudgetProgram, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { PAYERS, PAYOUTS, PLATFORM, TREASURY, type CallerName, type Name } from './fixtures.ts';
import { memo, naming, sign, transfer } from '#test/payments/transactions.ts';
import { UNREADABLE_VERSION } from '../support/nodes.ts';

export interface Intent {
  readonly id: string;
  readonly reference: string;
  readonly owner: Name;
  readonly caller: CallerName;
  readonly callerAddress: string;
  readonly days: number;
  readonly feeLamports: bigint;
  readonly callerLamports: bigint;
  readonly platformLamports: bigint;
  /** Unix ms. */
  readonly expiresAt: number;
  isLost: boolean;
}

export const REFUND_SHAPES = [
  'rest',
  'half',
  'share',
  'twice',
  'second wallet',
  'wrong wallet',
  'wrong recipient',
  'without reference',
  'names an intent',
  'forked away',
] as const;
export type RefundShape = (typeof REFUND_SHAPES)[number];

/** A transfer that a caller has sent, and whether it may count, decided without the product. */
export interface SentRefund {
  readonly signature: string;
  readonly reference: string;
  readonly paymentId: string;
  readonly lamports: bigint;
  readonly mayCount: boolean;
  /** True if the wallet isn't the payment's, so it must still be verified when the transfer is found. */
  readonly needsProof: boolean;
  readonly names: readonly Intent[];
  readonly openedAt: number;
}

/** A signed transaction and its effects, computed without the product. */
export interface Signed {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly signature: string;
  readonly version: Version;
  readonly payer: string;
  /** The intent's id in its memo. */
  readonly memo: string | undefined;
  /**
   * The intents that the transaction names, and those whose exact price it pays. The transaction opens at most
   * one period.
   */
  readonly names: readonly Intent[];
  readonly pays: readonly Intent[];
  /** The balance changes of the platform and of the caller of the first named intent, in lamports. */
  readonly platformGain: bigint;
  readonly callerGain: bigint;
  readonly lastValidBlockHeight: number;
  /**
   * The result of sending the transaction through the product. It is `unknown` if the request was killed.
   */
  sent: 'never' | 'rejected' | 'unknown' | 'accepted';
  /** The end of the step that last sent the transaction, unix ms. */
  sentAt: number;
  /**
   * True if the transaction once landed in time. Then its period stays, even if a fork makes it land again too
   * late.
   */
  wasBroadcastForIntent: boolean;
  /** True if the product reported that the transaction has expired, after it was last sent. */
  wasReportedExpired: boolean;
  /** True if the product has learned that the transaction landed but can't be read. */
  wasSeenUnreadable: boolean;
  /** True if the wallet sent it directly to the chain. */
  isSentByWallet: boolean;
  isLost: boolean;
}

/** A response that lets somebody pay a caller. */
export interface Offer {
  readonly what: string;
  /** The transaction that was sent; absent if an intent was opened. */
  readonly sent?: Signed;
  /** The unreadable payments of the same person to the same caller that the product had seen before. */
  readonly seen: readonly Signed[];
}

/** The last one is a version that the product can't read yet. */
export const VERSIONS = ['legacy', 0, 1, UNREADABLE_VERSION] as const;
export type Version = (typeof VERSIONS)[number];

/** Variants of a payment. The first three are valid. */
export const SHAPES = [
  'plain',
  'with extras',
  'in parts',
  'naming a second intent',
  'caller gets one lamport less',
  'caller gets one lamport more',
  'platform gets one lamport less',
  'platform gets nothing',
  'with swapped amounts',
  'with each transfer twice',
  'naming an unknown reference',
  'without a reference',
  'from two wallets',
  'paying a lamport back',
  'also paying a second intent',
  'dust',
] as const;
export type Shape = (typeof SHAPES)[number];
export const PLAIN_SHAPES: readonly Shape[] = SHAPES.slice(0, 3);

interface Leg {
  readonly from: Keypair;
  readonly to: string;
  readonly lamports: bigint;
}

interface Signing {
  readonly number: number;
  readonly shape: Shape;
  readonly version: Version;
  readonly intent: Intent;
  readonly other: Intent | undefined;
  readonly payer: number;
  readonly second: number;
  readonly latest: { readonly blockhash: string; readonly lastValidBlockHeight: number };
}

/**
 * Builds and signs a variant. If a variant needs a second intent and there is none, builds a plain payment.
 */
export function signTransaction({
  number,
  shape,
  version,
  intent,
  other,
  payer,
  second,
  latest,
}: Signing): Signed {
  const wallet = PAYERS[payer] ?? PAYERS[0];
  const otherWallet = PAYERS[second] ?? PAYERS[1];
  const { callerAddress, callerLamports, platformLamports } = intent;
  const platformAddress = PLATFORM.publicKey.toBase58();
  const toCaller = (lamports: bigint): Leg => ({ from: wallet, to: callerAddress, lamports });
  const toPlatform = (lamports: bigint): Leg => ({ from: wallet, to: platformAddress, lamports });
  const plain = [toCaller(callerLamports), toPlatform(platformLamports)];
  const isSameTerms =
    other !== undefined &&
    other.callerAddress === callerAddress &&
    other.callerLamports === callerLamports &&
    other.platformLamports === platformLamports;

  const exact = { legs: plain, names: [intent], pays: [intent] };
  const wrong = (...legs: Leg[]) => ({ legs, names: [intent], pays: [] });
  const shapes: Record<Shape, { legs: Leg[]; names: Intent[]; pays: Intent[]; reference?: string }> = {
    plain: exact,
    'with extras': exact,
    'in parts': {
      ...exact,
      legs: [toCaller(callerLamports - 1n), toPlatform(platformLamports), toCaller(1n)],
    },
    'naming a second intent': other
      ? { legs: plain, names: [intent, other], pays: isSameTerms ? [intent, other] : [intent] }
      : exact,
    'caller gets one lamport less': wrong(toCaller(callerLamports - 1n), toPlatform(platformLamports)),
    'caller gets one lamport more': wrong(toCaller(callerLamports + 1n), toPlatform(platformLamports)),
    'platform gets one lamport less': wrong(toCaller(callerLamports), toPlatform(platformLamports - 1n)),
    // The commission goes to a wallet of the payer's choice.
    'platform gets nothing': wrong(toCaller(callerLamports), {
      ...toPlatform(platformLamports),
      to: TREASURY.publicKey.toBase58(),
    }),
    'with swapped amounts': wrong(toCaller(platformLamports), toPlatform(callerLamports)),
    'with each transfer twice': wrong(...plain, ...plain),
    'naming an unknown reference': {
      legs: plain,
      names: [],
      pays: [],
      reference: Keypair.generate().publicKey.toBase58(),
    },
    'without a reference': { legs: plain, names: [], pays: [] },
    'from two wallets':
      wallet === otherWallet
        ? exact
        : wrong(toCaller(callerLamports), { ...toPlatform(platformLamports), from: otherWallet }),
    'paying a lamport back': wrong(...plain, {
      from: payoutKeypair(intent),
      to: wallet.publicKey.toBase58(),
      lamports: 1n,
    }),
    'also paying a second intent': other
      ? {
          legs: [
            ...plain,
            { ...toCaller(other.callerLamports), to: other.callerAddress },
            toPlatform(other.platformLamports),
          ],
          names: [intent, other],
          pays: [],
        }
      : exact,
    dust: { legs: [toPlatform(1n)], names: [], pays: [] },
  };
  const { legs, names, pays, reference } = shapes[shape];
  const [first, ...rest] = legs.map(({ from, to, lamports }) =>
    transfer({ from: from.publicKey, to: new PublicKey(to), lamports }),
  );
  const references = reference === undefined ? names.map((named) => named.reference) : [reference];
  // Some wallets drop the memo, and a memo may name an intent that the transaction doesn't pay.
  const memos: Partial<Record<Shape, string | undefined>> = {
    'in parts': undefined,
    'naming a second intent': other?.id,
    dust: undefined,
  };
  const text = shape in memos ? memos[shape] : intent.id;
  const gain = (address: string) =>
    legs.reduce(
      (sum, { from, to, lamports }) =>
        sum + (to === address ? lamports : 0n) - (from.publicKey.toBase58() === address ? lamports : 0n),
      0n,
    );
  const signers = new Set([wallet, ...legs.map(({ from }) => from)]);
  signers.delete(wallet);
  const bytes = sign({
    instructions: [
      ...(shape === 'with extras' ? extras(number) : []),
      ...(first ? [references.reduce(naming, first)] : []),
      ...rest,
      ...(text === undefined ? [] : [memo(text)]),
    ],
    signers: [wallet, ...signers],
    // Nobody can sign the version that can't be read, so the nodes refuse this one of version 0.
    version: version === UNREADABLE_VERSION ? 0 : version,
    blockhash: latest.blockhash,
  });
  return {
    name: `#${number} (${shape}, ${version})`,
    bytes,
    signature: bs58.encode(VersionedTransaction.deserialize(bytes).signatures[0] ?? new Uint8Array()),
    version,
    payer: wallet.publicKey.toBase58(),
    memo: text,
    names,
    pays,
    platformGain: gain(platformAddress),
    callerGain: gain(callerAddress),
    lastValidBlockHeight: latest.lastValidBlockHeight,
    sent: 'never',
    sentAt: 0,
    wasBroadcastForIntent: false,
    wasReportedExpired: false,
    wasSeenUnreadable: false,
    isSentByWallet: false,
    isLost: false,
  };
}

const extras = (number: number) => [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 + number }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
];

function payoutKeypair({ caller, callerAddress }: Intent): Keypair {
  const keypair = PAYOUTS[caller].find(({ publicKey }) => publicKey.toBase58() === callerAddress);
  if (!keypair) throw new Error(`${callerAddress} is not a payout wallet of ${caller}`);
  return keypair;
}
