import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { rpc } from './chain.ts';
import { land } from './payments.ts';
import { TOKEN_2022_PROGRAM } from '../people/tokens.ts';
import { latestBlockhash, naming, sign, transfer, type Signing } from './transactions.ts';
import { testEnv, type Person, type TestApp } from '../test-app.ts';

// These functions build transactions that the page never builds, and sign them with throw-away keys.

/** An open payment intent, and the keys that can sign for it. */
export interface HostileEnvironment {
  readonly app: TestApp;
  readonly caller: Person;
  readonly payout: Keypair;
  readonly follower: Person;
  readonly payer: Keypair;
  readonly terms: OpenIntentResponse;
}

const LIGHTHOUSE_PROGRAM = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
export const platform = Keypair.fromSecretKey(
  Uint8Array.from(testEnv.TEST_PLATFORM_SECRET.split(','), Number),
);

const readOnly = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
const writable = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
const signer = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: true });

/** The rent-exempt minimum of an account of this size. */
const rentOf = (bytes: number) => rpc<number>('getMinimumBalanceForRentExemption', bytes);

/** Signs and lands instructions. */
export async function act(
  signers: Signing['signers'],
  ...instructions: TransactionInstruction[]
): Promise<string> {
  return land(sign({ instructions, signers, blockhash: await latestBlockhash() }));
}

export const mention = ({ payer }: HostileEnvironment, key: string) =>
  naming(transfer({ from: payer.publicKey, to: payer.publicKey, lamports: 0 }), key);

/** An intent's two transfers, without its reference. */
export function legsOf(
  { terms, payer }: HostileEnvironment,
  { from = payer.publicKey } = {},
): [caller: TransactionInstruction, platform: TransactionInstruction] {
  const { callerAddress, callerLamports, platformAddress, platformLamports } = terms.intent;
  return [
    transfer({ from, to: new PublicKey(callerAddress), lamports: BigInt(callerLamports) }),
    transfer({ from, to: new PublicKey(platformAddress), lamports: BigInt(platformLamports) }),
  ];
}

/** Returns both transfers, the first with the reference. */
export function payment(
  environment: HostileEnvironment,
  options: { from?: PublicKey } = {},
): TransactionInstruction[] {
  const [caller, ...rest] = legsOf(environment, options);
  return [naming(caller, environment.terms.intent.reference), ...rest];
}

/** Signs instructions with the intent's blockhash; by default the payer signs and pays the fee. */
export function signFor(
  environment: HostileEnvironment,
  instructions: readonly TransactionInstruction[],
  { signers = [environment.payer], ...options }: Partial<Omit<Signing, 'instructions'>> = {},
): Uint8Array {
  return sign({ instructions, signers, blockhash: environment.terms.result.value.blockhash, ...options });
}

/** An instruction that some wallets add: the transaction fails if the account's balance falls too low. */
export function lighthouseGuard(account: PublicKey): TransactionInstruction {
  const ASSERT_ACCOUNT_INFO = 5;
  const [logLevel, aboutLamports, atLeast] = [0, 0, 4];
  const lamports = Buffer.alloc(8);
  lamports.writeUInt32LE(0x01_00_00_00);
  return new TransactionInstruction({
    programId: LIGHTHOUSE_PROGRAM,
    keys: [{ pubkey: account, isSigner: true, isWritable: false }],
    data: Buffer.from([ASSERT_ACCOUNT_INFO, logLevel, aboutLamports, ...lamports, atLeast]),
  });
}

/** Funds an account at an address derived from a seed. Its base key can spend from it. */
export async function fundSeedAccount(
  base: Keypair,
  { seed, lamports }: { seed: string; lamports: bigint },
): Promise<PublicKey> {
  const address = await PublicKey.createWithSeed(base.publicKey, seed, SystemProgram.programId);
  await act([base], transfer({ from: base.publicKey, to: address, lamports }));
  return address;
}

export async function createLookupTable(
  { app, payer }: HostileEnvironment,
  addresses: readonly PublicKey[],
): Promise<AddressLookupTableAccount> {
  const recentSlot = await rpc<number>('getSlot', { commitment: 'finalized' });
  const authority = payer.publicKey;
  const [create, key] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  await act(
    [payer],
    create,
    AddressLookupTableProgram.extendLookupTable({
      lookupTable: key,
      authority,
      payer: authority,
      addresses: [...addresses],
    }),
  );
  // A lookup table's new entries can be used from the next slot on.
  await app.advance(1_000);
  return new AddressLookupTableAccount({
    key,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      authority,
      addresses: [...addresses],
    },
  });
}

/** Extends a lookup table. Its program takes the rent from the payer's wallet. */
export const extendTable = ({ payer }: HostileEnvironment, { key }: AddressLookupTableAccount) =>
  AddressLookupTableProgram.extendLookupTable({
    lookupTable: key,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: [Keypair.generate().publicKey],
  });

/**
 * Reallocates a Token-2022 account. The token program takes the rent for six bytes, 30,480 lamports, from
 * the payer.
 */
export function reallocate({
  account,
  payer,
  owner,
}: Record<'account' | 'payer' | 'owner', PublicKey>): TransactionInstruction {
  const REALLOCATE = 29;
  const REQUIRE_MEMO = [8, 0];
  return new TransactionInstruction({
    programId: TOKEN_2022_PROGRAM,
    keys: [writable(account), signer(payer), readOnly(SystemProgram.programId), signer(owner)],
    data: Buffer.from([REALLOCATE, ...REQUIRE_MEMO]),
  });
}

export async function createNonceAccount(payer: Keypair, lamports = 0n): Promise<PublicKey> {
  const NONCE_BYTES = 80;
  const nonce = Keypair.generate();
  await act(
    [payer, nonce],
    SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: nonce.publicKey,
      lamports: (await rentOf(NONCE_BYTES)) + Number(lamports),
      space: NONCE_BYTES,
      programId: SystemProgram.programId,
    }),
    SystemProgram.nonceInitialize({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey }),
  );
  return nonce.publicKey;
}
