import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type MessageCompiledInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, it } from 'vitest';
import { signVersion1 } from '#dev/stand-ins/chain/sign-version-1.ts';
import { AppError } from '../../../app/errors.ts';
import { decodeSignedTransaction } from './signed-transaction.ts';

const keypair = (seed: number) => Keypair.fromSeed(new Uint8Array(32).fill(seed));
const [payer, cosigner, caller, platform, reference] = [
  keypair(1),
  keypair(2),
  keypair(3),
  keypair(4),
  keypair(5),
];
const address = ({ publicKey }: Keypair) => publicKey.toBase58();
const recentBlockhash = bs58.encode(new Uint8Array(32).fill(9));

const transfer = (from: Keypair, to: Keypair, lamports: number | bigint) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });
const moved = (from: Keypair, to: Keypair, lamports: bigint) => ({
  source: address(from),
  destination: address(to),
  lamports,
});
const named = (instruction: TransactionInstruction, key: Keypair) => {
  instruction.keys.push({ pubkey: key.publicKey, isSigner: false, isWritable: false });
  return instruction;
};
const legs = () => [named(transfer(payer, caller, 900), reference), transfer(payer, platform, 100)];
const movedLegs = [moved(payer, caller, 900n), moved(payer, platform, 100n)];
const foreign = (data: readonly number[], programId = ComputeBudgetProgram.programId) =>
  new TransactionInstruction({ programId, keys: [], data: Buffer.from(data) });
const advanceNonce = () =>
  SystemProgram.nonceAdvance({ noncePubkey: reference.publicKey, authorizedPubkey: payer.publicKey });

function legacy(instructions: readonly TransactionInstruction[], signers = [payer]): Uint8Array {
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(...instructions);
  transaction.sign(...signers);
  return Uint8Array.from(transaction.serialize());
}

/** A version 1 transaction, with more bytes than earlier versions may have. */
const v1 = (instructions: readonly TransactionInstruction[]): Uint8Array =>
  signVersion1({
    instructions: [...instructions, foreign(Array.from({ length: 2_000 }, () => 1))],
    signers: [payer],
    blockhash: recentBlockhash,
  });

function v0(
  instructions: readonly TransactionInstruction[],
  { signers = [payer], tables = [] }: { signers?: Keypair[]; tables?: AddressLookupTableAccount[] } = {},
): Uint8Array {
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash,
      instructions: [...instructions],
    }).compileToV0Message(tables),
  );
  transaction.sign(signers);
  return transaction.serialize();
}

/** Builds a message by hand. Replaces every signer's signature by the payer's. */
function crafted({
  signers,
  keys,
  instructions = [],
}: {
  signers: number;
  keys: Keypair[];
  instructions?: MessageCompiledInstruction[];
}): Uint8Array {
  const header = {
    numRequiredSignatures: signers,
    numReadonlySignedAccounts: 0,
    numReadonlyUnsignedAccounts: 0,
  };
  const transaction = new VersionedTransaction(
    new MessageV0({
      header,
      staticAccountKeys: keys.map(({ publicKey }) => publicKey),
      recentBlockhash,
      compiledInstructions: instructions,
      addressTableLookups: [],
    }),
  );
  if (signers > 0) transaction.sign([payer]);
  transaction.signatures = Array.from(
    { length: signers },
    () => transaction.signatures[0] ?? new Uint8Array(64),
  );
  return transaction.serialize();
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const decode = (bytes: Uint8Array) => decodeSignedTransaction(base64(bytes));

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

it.each([
  ['legacy', legacy(legs())],
  ['v0', v0(legs())],
  ['v1', v1(legs())],
])(
  'a signed transaction of version %s is decoded with its transfers, accounts, signers and id',
  (_name, bytes) => {
    const decoded = decode(bytes);
    expect(decoded).toMatchObject({
      bytes,
      signature: bs58.encode(VersionedTransaction.deserialize(bytes).signatures[0] ?? []),
      hasDurableNonce: false,
      signers: [address(payer)],
      transfers: movedLegs,
    });
    expect(decoded.accounts).toEqual(
      expect.arrayContaining([
        ...[payer, caller, platform, reference].map(address),
        SystemProgram.programId.toBase58(),
      ]),
    );
    expect(decoded.accounts[0]).toBe(address(payer));
  },
);

it('a signed transaction with several signers has the fee payer’s signature as id, and lists all signers', () => {
  const bytes = v0([...legs(), transfer(cosigner, caller, 7)], { signers: [payer, cosigner] });
  expect(decode(bytes)).toMatchObject({
    signature: bs58.encode(bytes.slice(1, 65)),
    signers: [address(payer), address(cosigner)],
    transfers: [...movedLegs, moved(cosigner, caller, 7n)],
  });
});

it('decoding a signed transaction preserves every lamport of an amount above 2^53', () => {
  expect(decode(legacy([transfer(payer, caller, 2n ** 64n - 1n)]))?.transfers).toEqual([
    moved(payer, caller, 2n ** 64n - 1n),
  ]);
});

it.each(
  Object.entries<TransactionInstruction>({
    'an instruction of another program': foreign([2, 0, 0, 0, 232, 3, 0, 0, 0, 0, 0, 0]),
    'another program’s instruction with the accounts of a transfer': new TransactionInstruction({
      ...transfer(payer, caller, 5),
      programId: ComputeBudgetProgram.programId,
    }),
    'an instruction that creates an account': SystemProgram.createAccount({
      fromPubkey: payer.publicKey,
      newAccountPubkey: cosigner.publicKey,
      lamports: 5,
      space: 0,
      programId: SystemProgram.programId,
    }),
    'a transfer from a seeded address': SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      basePubkey: payer.publicKey,
      toPubkey: caller.publicKey,
      lamports: 5,
      seed: 'seed',
      programId: SystemProgram.programId,
    }),
  }),
)('decoding a signed transaction finds no transfer in %s', (_name, instruction) => {
  const signers = instruction.keys.some(
    ({ pubkey, isSigner }) => isSigner && pubkey.equals(cosigner.publicKey),
  )
    ? [payer, cosigner]
    : [payer];
  expect(decode(legacy([instruction, ...legs()], signers))?.transfers).toEqual(movedLegs);
});

it('decoding a signed transaction ignores a transfer to an address from a lookup table', () => {
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [cosigner.publicKey],
  };
  const bytes = v0([transfer(payer, cosigner, 5), ...legs()], {
    tables: [new AddressLookupTableAccount({ key: keypair(6).publicKey, state })],
  });
  const decoded = decode(bytes);
  expect(decoded.accounts).not.toContain(address(cosigner));
  expect(decoded.transfers).toEqual(movedLegs);
});

it('decoding a signed transaction finds no transfer in an instruction of an unknown program', () => {
  const lost = { programIdIndex: 9, accountKeyIndexes: [0, 1], data: transfer(payer, caller, 5).data };
  expect(decode(crafted({ signers: 1, keys: [payer, caller], instructions: [lost] }))).toMatchObject({
    hasDurableNonce: false,
    transfers: [],
  });
});

it.each<[string, boolean, TransactionInstruction[]]>([
  ['advances a nonce in its first instruction', true, [advanceNonce(), ...legs()]],
  ['advances a nonce in a later instruction', false, [...legs(), advanceNonce()]],
  ['begins with another program’s instruction', false, [foreign([4, 0, 0, 0]), ...legs()]],
  ['begins with a transfer', false, legs()],
  ['has no instructions', false, []],
])('a signed transaction that %s: hasDurableNonce is %s', (_name, hasDurableNonce, instructions) => {
  expect(decode(v0(instructions))?.hasDurableNonce).toBe(hasDurableNonce);
});

const bytes = legacy(legs());
const both = v0([...legs(), transfer(cosigner, caller, 7)], { signers: [payer, cosigner] });
const unsigned = new Transaction({ feePayer: payer.publicKey, recentBlockhash })
  .add(...legs())
  .serialize({ requireAllSignatures: false });
const signatureOf = (source: Uint8Array, index = 0) => source.slice(1 + 64 * index, 65 + 64 * index);
const withSignature = ({
  of,
  signature,
  index = 0,
}: {
  of: Uint8Array;
  signature: Uint8Array;
  index?: number;
}) => Uint8Array.from([...of.slice(0, 1 + 64 * index), ...signature, ...of.slice(65 + 64 * index)]);

it.each(
  Object.entries<string>({
    'an empty string': '',
    'base64 of plain text': btoa('a transaction'),
    'a truncated transaction': base64(bytes.slice(0, -1)),
    'bytes after the transaction': base64(Uint8Array.from([...bytes, 0])),
    'an unsigned transaction': base64(unsigned),
    'a changed signature': base64(changed(bytes, 1)),
    'an amount changed after signing': base64(changed(bytes, bytes.length - 8)),
    'another transaction’s signature': base64(
      withSignature({ of: bytes, signature: signatureOf(v0(legs())) }),
    ),
    'a missing cosigner’s signature': base64(
      withSignature({ of: both, signature: new Uint8Array(64), index: 1 }),
    ),
    'a missing fee payer’s signature': base64(withSignature({ of: both, signature: new Uint8Array(64) })),
    'two swapped signatures': base64(
      withSignature({
        of: withSignature({ of: both, signature: signatureOf(both, 1) }),
        signature: signatureOf(both),
        index: 1,
      }),
    ),
    'one signature too few': base64(Uint8Array.from([1, ...both.slice(1, 65), ...both.slice(129)])),
    'one signature too many': base64(Uint8Array.from([2, ...bytes.slice(1, 65), ...bytes.slice(1)])),
    'no signatures': base64(Uint8Array.from([0, ...bytes.slice(65)])),
    'a message that requires no signature': base64(crafted({ signers: 0, keys: [payer] })),
    'a message that requires more signatures than it has accounts': base64(
      crafted({ signers: 2, keys: [payer] }),
    ),
    'an unknown System instruction': base64(v0([foreign([99, 0, 0, 0], SystemProgram.programId), ...legs()])),
    'a truncated System instruction': base64(v0([foreign([4], SystemProgram.programId), ...legs()])),
  }),
)('decoding a signed transaction rejects %s', (_name, encoded) => {
  expect(() => decodeSignedTransaction(encoded)).toThrow(AppError);
});

it('decoding a signed transaction rejects a small-order fee payer key, whose signatures anybody can forge', () => {
  const message = new TransactionMessage({
    payerKey: new PublicKey(Uint8Array.from([1, ...new Uint8Array(31)])),
    recentBlockhash,
    instructions: [named(foreign([]), reference)],
  }).compileToV0Message();
  const signature = Uint8Array.from([1, ...new Uint8Array(63)]);
  expect(() => decode(new VersionedTransaction(message, [signature]).serialize())).toThrow(AppError);
});
