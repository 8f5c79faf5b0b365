import { createSignInMessageText, deriveSignInMessage, verifySignIn } from '@solana/wallet-standard-util';
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { WALLET_CHALLENGE_MS } from '#schema/constants.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { expectRefusalWithoutTrace, readResponse } from '../../../test-support/responses.ts';
import { signMessage, toBase64 } from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import { createTestApp, type Person, type TestApp } from '../../../test-support/test-app.ts';
import { createChallenge, isMessageOf } from './wallets.service.ts';

let app: TestApp;
let person: Person;
const wallet = Keypair.generate();
const stranger = Keypair.generate();
const walletAddress = wallet.publicKey.toBase58();

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('wallet_owner');
});

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const sendRequest = (requester = person, address = walletAddress) =>
  readResponse<WalletChallenge>(
    requester.post('/api/user/wallets/challenge', { walletAddress: address }),
    201,
  );

function isSignInByStandard(
  { input }: WalletChallenge,
  {
    signedMessage,
    signature,
    publicKey,
  }: { signedMessage: Uint8Array; signature: Uint8Array; publicKey: Uint8Array },
): boolean {
  try {
    return verifySignIn(input, {
      account: { address: new PublicKey(publicKey).toBase58(), publicKey, chains: [], features: [] },
      signedMessage,
      signature,
    });
  } catch {
    return false;
  }
}

const TERMS = {
  origin: 'https://solcallers.test',
  address: walletAddress,
  statement: 'A statement.',
  issuedAt: 0,
  expiresAt: 1,
};
const bytesOf = (message: string | Uint8Array) => (typeof message === 'string' ? encode(message) : message);

it.each([
  'solana:signIn, which writes the text itself',
  'signMessage, over our text',
  'signMessage, without the signed text in its result',
])('a wallet is proven with %s', async (way) => {
  const challenge = await sendRequest();
  const text = way.startsWith('solana:signIn') ? createSignInMessageText(challenge.input) : challenge.message;
  const signature = await signMessage(wallet, text);
  expect(
    isSignInByStandard(challenge, {
      signedMessage: encode(text),
      signature: decode(signature),
      publicKey: wallet.publicKey.toBytes(),
    }),
  ).toBe(true);
  const signedMessage = way.endsWith('without the signed text in its result')
    ? undefined
    : toBase64(encode(text));
  expect(
    await readResponse<SavedWallet>(
      person.post('/api/user/wallets', { walletAddress, signature, signedMessage }),
      201,
    ),
  ).toMatchObject({ walletAddress, isProven: true });
});

it('the sign-in message has the format that the standard and strict wallets accept', async () => {
  const { input, message } = await sendRequest();
  expect(input).toEqual({
    domain: 'solcallers.test',
    address: walletAddress,
    statement: expect.stringMatching(/^[A-Za-z0-9 .]+$/),
    uri: 'https://solcallers.test',
    version: '1',
    nonce: expect.stringMatching(/^[A-Za-z0-9]{8,}$/),
    issuedAt: new Date(app.clock.now()).toISOString(),
    expirationTime: new Date(app.clock.now() + WALLET_CHALLENGE_MS).toISOString(),
  });
  expect(message).toBe(createSignInMessageText(input));
  expect((await sendRequest()).input.nonce).not.toBe(input.nonce);
});

const field =
  (name: string, value: string) =>
  ({ message }: WalletChallenge) =>
    message.replace(new RegExp(`^${name}: .*$`, 'm'), `${name}: ${value}`);
const withInput =
  (change: Partial<Parameters<typeof createSignInMessageText>[0]>) =>
  ({ input }: WalletChallenge) =>
    createSignInMessageText({ ...input, ...change });

/** Signed messages that differ from the challenge, by how they differ. */
const otherMessages: Readonly<Record<string, (challenge: WalletChallenge) => string | Uint8Array>> = {
  'another domain': withInput({ domain: 'evil.example' }),
  'a domain that looks like ours (a Cyrillic o)': withInput({ domain: 's\u043Elcallers.test' }),
  'another address': withInput({ address: stranger.publicKey.toBase58() }),
  'a longer statement': ({ input }) =>
    createSignInMessageText({ ...input, statement: `${input.statement} And pays all that is asked.` }),
  'another URI': withInput({ uri: 'https://evil.example' }),
  'a chain id, which the challenge lacks': withInput({ chainId: 'solana:mainnet' }),
  'no nonce': withInput({ nonce: '' }),
  'the same issue time in another notation': ({ input, ...rest }) =>
    field('Issued At', input.issuedAt.replace('Z', '+00:00'))({ input, ...rest }),
  'a later expiration': withInput({ expirationTime: '2999-01-01T00:00:00.000Z' }),
  resources: withInput({ resources: ['https://evil.example/take-all'] }),
  'a line after it': ({ message }) => `${message}\nAnd I pay 5 SOL.`,
  'a byte order mark before it': ({ message }) => `\uFEFF${message}`,
  'an invalid UTF-8 byte after it': ({ message }) => Uint8Array.of(...encode(message), 0xff),
  'carriage returns in its line breaks': ({ message }) => message.replaceAll('\n', '\r\n'),
  'the challenge inside another site’s message': ({ message, input }) =>
    createSignInMessageText({ domain: 'evil.example', address: input.address, statement: message }),
  'the challenge in UTF-16': ({ message }) =>
    new Uint8Array(Uint16Array.from(message, (character) => character.charCodeAt(0)).buffer),
  'the challenge as an off-chain message': ({ message }) =>
    Uint8Array.of(
      0xff,
      ...encode('solana offchain'),
      0,
      0,
      message.length % 256,
      message.length >> 8,
      ...encode(message),
    ),
  'a transaction with the challenge as its memo': ({ message }) => transactionWith(memoOf(message)),
  'a transaction that moves money': () =>
    transactionWith(
      SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: stranger.publicKey, lamports: 1 }),
    ),
  'an empty message': () => '',
};

it('a signed message that differs from the challenge is rejected by our check and by the standard’s', async () => {
  const challenge = createChallenge(TERMS);
  for (const [difference, createMessage] of Object.entries(otherMessages)) {
    const bytes = bytesOf(createMessage(challenge));
    const signature = decode(await signMessage(wallet, bytes));
    const isSignIn = isSignInByStandard(challenge, {
      signedMessage: bytes,
      signature,
      publicKey: wallet.publicKey.toBytes(),
    });
    const isMessage = isMessageOf({ bytes, message: challenge.message });
    expect({ difference, isSignIn, isMessage }).toEqual({ difference, isSignIn: false, isMessage: false });
  }
});

it('a signed message that differs from the challenge proves no wallet, whatever the wallet reports', async () => {
  for (const difference of ['another domain', 'no nonce', 'a transaction that moves money']) {
    const challenge = await sendRequest();
    const bytes = bytesOf(otherMessages[difference]?.(challenge) ?? '');
    const signature = await signMessage(wallet, bytes);
    for (const signedMessage of [toBase64(bytes), undefined, toBase64(encode(challenge.message))]) {
      await expectRefusalWithoutTrace(
        () => person.post('/api/user/wallets', { walletAddress, signature, signedMessage }),
        'wallets.signature_invalid',
      );
    }
  }
});

it('a signed message that differs from the challenge is accepted exactly if the standard accepts it', () => {
  const challenge = createChallenge(TERMS);
  const bytes = encode(challenge.message);
  const edit = fc.record({
    at: fc.nat(bytes.length),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom(...encode('\n\r \0:-URI5Az'), 0xff, 0xef), { maxLength: 3 }),
  });
  const counts = { same: 0, other: 0 };
  fc.assert(
    fc.property(edit, ({ at, remove, insert }) => {
      const signedMessage = Uint8Array.of(
        ...bytes.subarray(0, at),
        ...insert,
        ...bytes.subarray(at + remove),
      );
      const isSame = isMessageOf({ bytes: signedMessage, message: challenge.message });
      counts[isSame ? 'same' : 'other'] += 1;
      expect(isSame).toBe(isMessageByStandard(challenge, signedMessage));
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(counts.same, counts.other)).toBeGreaterThan(0);
});

const expectSignatureRejected = async (signature: string, message: string) => {
  for (const signedMessage of [undefined, toBase64(encode(message))]) {
    await expectRefusalWithoutTrace(
      () => person.post('/api/user/wallets', { walletAddress, signature, signedMessage }),
      'wallets.signature_invalid',
    );
  }
};

it('a signature is rejected if another key made it', async () => {
  const { message } = await sendRequest();
  await expectSignatureRejected(await signMessage(stranger, message), message);
});

it('a signature is rejected if the wallet reports that it signed a different message', async () => {
  const { message } = await sendRequest();
  const signature = await signMessage(wallet, message);
  for (const claimed of ['', 'Something else', `${message}\n`, message.slice(1)]) {
    const { message: why } = await expectRefusalWithoutTrace(
      () =>
        person.post('/api/user/wallets', {
          walletAddress,
          signature,
          signedMessage: toBase64(encode(claimed)),
        }),
      'wallets.signature_invalid',
    );
    expect(why).toContain('signed a different message than requested');
  }
  await readResponse(
    person.post('/api/user/wallets', {
      walletAddress,
      signature,
      signedMessage: toBase64(encode(message)),
    }),
    201,
  );
});

const wrongBytes: readonly (readonly [string, (signature: Uint8Array) => Uint8Array])[] = [
  ['63 bytes', (signature) => signature.slice(0, 63)],
  ['65 bytes', (signature) => Uint8Array.of(...signature, 0)],
  ['128 bytes', (signature) => Uint8Array.of(...signature, ...signature)],
  ['no bytes', () => new Uint8Array()],
  ['64 zeros', () => new Uint8Array(64)],
  ['one changed bit', (signature) => signature.with(10, (signature[10] ?? 0) ^ 1)],
  ['swapped halves', (signature) => Uint8Array.of(...signature.slice(32), ...signature.slice(0, 32))],
  ['a second half above the group order (malleable)', (signature) => addGroupOrder(signature)],
];

it('a signature is rejected if its bytes are wrong', async () => {
  const { message } = await sendRequest();
  const signature = decode(await signMessage(wallet, message));
  for (const [, spoil] of wrongBytes) await expectSignatureRejected(toBase64(spoil(signature)), message);
});

it.each([
  ['the System Program', '11111111111111111111111111111111'],
  ['a key of small order', '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'],
])(
  'a signature is rejected for %s as address, for which one signature fits every message',
  async (_what, address) => {
    const challenge = await sendRequest(person, address);
    const forged = new Uint8Array(64).with(0, 1);
    for (const signedMessage of [undefined, toBase64(encode(challenge.message))]) {
      await expectRefusalWithoutTrace(
        () =>
          person.post('/api/user/wallets', {
            walletAddress: address,
            signature: toBase64(forged),
            signedMessage,
          }),
        'wallets.signature_invalid',
      );
    }
  },
);

const saveWith = (
  saver: Person,
  signature: string,
  signedMessage: string | undefined,
  address = walletAddress,
) => saver.post('/api/user/wallets', { walletAddress: address, signature, signedMessage });

it.each(['given', 'not given'])(
  'a challenge is valid only for the user who requested it (signed message %s)',
  async (given) => {
    const other = await app.signIn('other');
    const { message } = await sendRequest(other);
    const signature = await signMessage(wallet, message);
    const signedMessage = given === 'given' ? toBase64(encode(message)) : undefined;
    await expectRefusalWithoutTrace(
      () => saveWith(person, signature, signedMessage),
      'wallets.challenge_invalid',
    );
    await sendRequest();
    await expectRefusalWithoutTrace(
      () => saveWith(person, signature, signedMessage),
      'wallets.signature_invalid',
    );
    expect(await readResponse<SavedWallet>(saveWith(other, signature, signedMessage), 201)).toMatchObject({
      isProven: true,
    });
  },
);

it('a challenge is valid only for its address', async () => {
  const { message } = await sendRequest();
  await sendRequest(person, stranger.publicKey.toBase58());
  const signedMessage = toBase64(encode(message));
  for (const key of [wallet, stranger]) {
    const signature = await signMessage(key, message);
    await expectRefusalWithoutTrace(
      () => saveWith(person, signature, signedMessage, stranger.publicKey.toBase58()),
      'wallets.signature_invalid',
    );
  }
});

it('a challenge is valid once, even after its wallet was removed and another challenge was requested', async () => {
  const { message } = await sendRequest();
  const signature = await signMessage(wallet, message);
  const signedMessage = toBase64(encode(message));
  const { id } = await readResponse<SavedWallet>(saveWith(person, signature, signedMessage), 201);
  await expectRefusalWithoutTrace(
    () => saveWith(person, signature, signedMessage),
    'wallets.challenge_invalid',
  );
  await readResponse(person.delete(`/api/user/wallets/${id}`));
  await sendRequest();
  await expectRefusalWithoutTrace(
    () => saveWith(person, signature, signedMessage),
    'wallets.signature_invalid',
  );
  expect(await query('SELECT id FROM wallets')).toEqual([]);
});

it('a challenge is valid until its last millisecond', async () => {
  const [early, late] = [await sendRequest(), await sendRequest()];
  await app.advance(WALLET_CHALLENGE_MS - 1);
  await readResponse(
    saveWith(person, await signMessage(wallet, early.message), toBase64(encode(early.message))),
    201,
  );
  await app.advance(1);
  const signature = await signMessage(wallet, late.message);
  await expectRefusalWithoutTrace(
    () => saveWith(person, signature, toBase64(encode(late.message))),
    'wallets.challenge_invalid',
  );
});

/** Rebuilds the text from its fields with the Wallet Standard's library, and compares it with `signedMessage`. */
function isMessageByStandard({ input }: WalletChallenge, signedMessage: Uint8Array): boolean {
  const account = { address: walletAddress, publicKey: wallet.publicKey.toBytes(), chains: [], features: [] };
  const derived = deriveSignInMessage(input, { account, signedMessage, signature: new Uint8Array(64) });
  return derived !== null && toBase64(derived) === toBase64(signedMessage);
}

/** A transaction's bytes for its payer to sign. */
function transactionWith(instruction: TransactionInstruction): Uint8Array {
  return new Transaction({
    feePayer: wallet.publicKey,
    blockhash: stranger.publicKey.toBase58(),
    lastValidBlockHeight: 1,
  })
    .add(instruction)
    .serializeMessage();
}

function memoOf(text: string): TransactionInstruction {
  const programId = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
  return new TransactionInstruction({ programId, keys: [], data: Buffer.from(text) });
}

/** A malleable copy of a signature, with the group order added to its second half. */
function addGroupOrder(signature: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const scalar = signature.slice(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
  return signature.map((byte, at) => (at < 32 ? byte : Number((scalar >> BigInt(8 * (at - 32))) & 255n)));
}
