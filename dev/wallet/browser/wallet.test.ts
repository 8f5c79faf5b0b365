import type { SolanaSignInInput, SolanaSignMessageInput } from '@solana/wallet-standard-features';
import { verifySignIn } from '@solana/wallet-standard-util';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { signVersion1 } from '../../stand-ins/chain/sign-version-1.ts';
import { createKeyPair, restoreKeyPair } from './key-pair.ts';
import { signTransaction as signWith, summarise } from './transaction.ts';
import { createLocalWallet, type ApprovalRequest, type LocalWallet, type WalletStorage } from './wallet.ts';

const blockhash = Keypair.generate().publicKey.toBase58();
const caller = Keypair.generate().publicKey;
const platform = Keypair.generate().publicKey;

function paymentInstructions(from: PublicKey) {
  return [
    SystemProgram.transfer({ fromPubkey: from, toPubkey: caller, lamports: 900_000_000 }),
    SystemProgram.transfer({ fromPubkey: from, toPubkey: platform, lamports: 100_000_000 }),
  ];
}
function legacy(feePayer: PublicKey, ...instructions: TransactionInstruction[]): Uint8Array {
  const transaction = new Transaction({ feePayer, recentBlockhash: blockhash }).add(...instructions);
  return new Uint8Array(transaction.serialize({ requireAllSignatures: false }));
}
const legacyPayment = (from: PublicKey) => legacy(from, ...paymentInstructions(from));
function v0Payment(from: PublicKey, payerKey = from): Uint8Array {
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions: paymentInstructions(from),
  });
  return new VersionedTransaction(message.compileToV0Message()).serialize();
}

function memoryStorage(): WalletStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

test.each(['', '{}', '[]', '{"x":1,"d":2}', '{"x":"AA","d":"AA"}'])(
  'restoreKeyPair throws for the invalid text %j',
  async (text) => {
    await expect(restoreKeyPair(text)).rejects.toThrow();
  },
);

test.each([
  ['legacy', legacyPayment],
  ['v0', v0Payment],
])('a transaction in %s format gets a summary and a valid signature', async (_name, pay) => {
  const keyPair = await createKeyPair();
  const transaction = pay(new PublicKey(keyPair.address));
  expect(summarise({ transaction, address: keyPair.address })).toEqual({
    transfers: [
      { from: keyPair.address, to: caller.toBase58(), lamports: 900_000_000n },
      { from: keyPair.address, to: platform.toBase58(), lamports: 100_000_000n },
    ],
    leaving: 1_000_000_000n,
    otherPrograms: [],
    paysFee: true,
  });
  const signed = VersionedTransaction.deserialize(await signWith({ transaction, keyPair }));
  const valid = await crypto.subtle.verify(
    'Ed25519',
    await importPublic(keyPair.publicKey),
    copy(signed.signatures[0]),
    copy(signed.message.serialize()),
  );
  expect(valid).toBe(true);
});

const halfSigned = (from: PublicKey, payer: Keypair): Uint8Array => {
  const half = VersionedTransaction.deserialize(v0Payment(from, payer.publicKey));
  half.sign([payer]);
  return half.serialize();
};
const halfSigned1 = (from: PublicKey, payer: Keypair): Uint8Array =>
  signVersion1({ instructions: paymentInstructions(from), signers: [payer], blockhash });

test.each([
  ['0', halfSigned],
  ['1', halfSigned1],
])(
  'a transaction of version %s still has its other signatures after the wallet signed it',
  async (_name, make) => {
    const keyPair = await createKeyPair();
    const transaction = make(new PublicKey(keyPair.address), Keypair.generate());
    const before = VersionedTransaction.deserialize(transaction);
    const signed = VersionedTransaction.deserialize(await signWith({ transaction, keyPair }));
    expect(signed.signatures[0]).toEqual(before.signatures[0]);
    expect(signed.signatures[1]?.some((byte) => byte !== 0)).toBe(true);
    expect(signed.message).toEqual(before.message);
    expect(summarise({ transaction, address: keyPair.address })).toMatchObject({
      leaving: 1_000_000_000n,
      otherPrograms: [],
      paysFee: false,
    });
  },
);

test('the summary of a transaction lists unknown programs, but doesn’t count transfers from the wallet to itself', async () => {
  const keyPair = await createKeyPair();
  const me = new PublicKey(keyPair.address);
  const instructionData = SystemProgram.transfer({ fromPubkey: me, toPubkey: me, lamports: 1 }).data;
  const transaction = legacy(
    me,
    SystemProgram.transfer({ fromPubkey: me, toPubkey: me, lamports: 7 }),
    new TransactionInstruction({ programId: platform, keys: [], data: instructionData }),
  );
  expect(summarise({ transaction, address: keyPair.address })).toMatchObject({
    leaving: 0n,
    otherPrograms: [platform.toBase58()],
  });
});

test('a transaction is refused if it needs no signature of the wallet', async () => {
  await expect(signWith({ transaction: v0Payment(caller), keyPair: await createKeyPair() })).rejects.toThrow(
    'no signature of the Local Wallet',
  );
});

describe('the Local Wallet', () => {
  let storage: WalletStorage;
  let requests: ApprovalRequest[];
  let response: boolean;
  let local: LocalWallet;
  const open = () =>
    createLocalWallet({
      storage,
      host: 'localhost:8787',
      approve: async (request) => (requests.push(request), response),
      send: () => Promise.reject(new Error('This wallet only signs.')),
    });
  const connect = async () => one((await local.wallet.features['standard:connect'].connect()).accounts);
  const signMessage = (...inputs: readonly SolanaSignMessageInput[]) =>
    local.wallet.features['solana:signMessage'].signMessage(...inputs);
  const signIn = (...inputs: readonly SolanaSignInInput[]) =>
    local.wallet.features['solana:signIn'].signIn(...inputs);

  beforeEach(async () => {
    storage = memoryStorage();
    requests = [];
    response = true;
    local = await open();
  });

  test('the Local Wallet connects silently only after a first visible connection', async () => {
    const changes: unknown[] = [];
    const stop = local.wallet.features['standard:events'].on(
      'change',
      ({ accounts }) => void changes.push(accounts?.length),
    );
    expect((await local.wallet.features['standard:connect'].connect({ silent: true })).accounts).toEqual([]);
    expect((await connect()).address).toBe(local.address());
    await connect();
    await local.wallet.features['standard:disconnect'].disconnect();
    expect(changes).toEqual([1, 0]);
    stop();
    await connect();
    expect(changes).toEqual([1, 0]);
    local = await open();
    expect((await local.wallet.features['standard:connect'].connect({ silent: true })).accounts).toHaveLength(
      1,
    );
  });

  test('the Local Wallet stores its key, and creates a new one on request or if the stored key is broken', async () => {
    const first = local.address();
    local = await open();
    expect(local.address()).toBe(first);
    const before = await connect();
    await local.replaceKey();
    expect(local.address()).not.toBe(first);
    expect(local.wallet.accounts[0]?.address).toBe(local.address());
    await expect(signMessage({ account: before, message: new Uint8Array([1]) })).rejects.toThrow(
      'not connected',
    );
    storage.setItem('local-wallet:key-pair', 'broken');
    local = await open();
    expect(local.address()).toMatch(/^\w{32,44}$/);
  });

  test('the Local Wallet signs in with a valid signature, connects, and warns about a foreign domain', async () => {
    const input = {
      domain: 'localhost:8787',
      statement: 'Link this wallet',
      nonce: 'abcdefgh1234',
      issuedAt: '2026-03-14T15:09:26.000Z',
    };
    const output = one(await signIn(input));
    expect(verifySignIn(input, output)).toBe(true);
    expect(output.account.address).toBe(local.address());
    expect(local.wallet.accounts).toHaveLength(1);
    await signIn({ domain: 'evil.example' });
    expect(requests.map((request) => request.kind === 'sign-in' && request.isForeignDomain)).toEqual([
      false,
      true,
    ]);
    await expect(signIn({ address: caller.toBase58() })).rejects.toThrow('does not hold');
  });
});

function one<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('nothing came back');
  return first;
}

function importPublic(bytes: Uint8Array) {
  return crypto.subtle.importKey('raw', copy(bytes), 'Ed25519', false, ['verify']);
}

function copy(bytes: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes ?? []);
}
