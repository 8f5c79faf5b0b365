import { createSignInMessageText, deriveSignInMessage } from '@solana/wallet-standard-util';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { WALLET_CHALLENGE_MS } from '#schema/constants/money.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { signMessage, toBase64 } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
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
const sendRequest = (requester = person, address = walletAddress) =>
  readResponse<WalletChallenge>(
    requester.post('/api/user/wallets/challenge', { walletAddress: address }),
    201,
  );

const save = (
  signature: string,
  signedMessage?: string,
  { saver = person, address = walletAddress } = {},
): Promise<Response> => saver.post('/api/user/wallets', { walletAddress: address, signature, signedMessage });
const expectRefused = (code: ErrorCode, ...saved: Parameters<typeof save>) =>
  expectRefusalWithoutTrace(() => save(...saved), code);

const TERMS = {
  origin: 'https://solcallers.test',
  address: walletAddress,
  statement: 'A statement.',
  issuedAt: 0,
  expiresAt: 1,
};

it.each([
  'solana:signIn, which writes the text itself',
  'signMessage, over our text',
  'signMessage, without the signed text in its result',
])('a wallet is proven with %s', async (way) => {
  const challenge = await sendRequest();
  const text = way.startsWith('solana:signIn') ? createSignInMessageText(challenge.input) : challenge.message;
  const signature = await signMessage(wallet, text);
  const signedMessage = way.endsWith('without the signed text in its result')
    ? undefined
    : toBase64(encode(text));
  const saved = await readResponse<SavedWallet>(save(signature, signedMessage), 201);
  expect(saved).toMatchObject({ walletAddress, isProven: true });
});

// Specification 6.10
it('the sign-in message follows the Sign In With Solana standard, and says that it moves no money', async () => {
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
  expect(message).toContain('This moves no money.');
  expect((await sendRequest()).input.nonce).not.toBe(input.nonce);
});

it('a signed message that differs from the challenge proves no wallet, whatever the wallet reports', async () => {
  const { input, message } = await sendRequest();
  for (const bytes of [
    encode(createSignInMessageText({ ...input, domain: 'evil.example' })),
    encode(createSignInMessageText({ ...input, nonce: '' })),
    encode(createSignInMessageText({ domain: 'evil.example', address: walletAddress, statement: message })),
    paymentBytes(),
  ]) {
    const signature = await signMessage(wallet, bytes);
    for (const signedMessage of [toBase64(bytes), undefined, toBase64(encode(message))]) {
      await expectRefused('wallets.signature_invalid', signature, signedMessage);
    }
  }
});

it('a random edit of the challenge is accepted exactly if the Wallet Standard’s library accepts it', () => {
  const challenge = createChallenge(TERMS);
  const bytes = encode(challenge.message);
  const edit = fc.record({
    at: fc.nat(bytes.length),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom(...encode('\n\r \0:-URI5Az'), 0xff, 0xef, 0xbb, 0xbf), { maxLength: 3 }),
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
    { numRuns: 2_000, examples: [[{ at: 0, remove: 0, insert: [0xef, 0xbb, 0xbf] }]] },
  );
  expect(Math.min(counts.same, counts.other)).toBeGreaterThan(0);
});

it('a signature by another key is rejected', async () => {
  const { message } = await sendRequest();
  const signature = await signMessage(stranger, message);
  for (const signedMessage of [undefined, toBase64(encode(message))]) {
    await expectRefused('wallets.signature_invalid', signature, signedMessage);
  }
});

it('a signature is rejected if the wallet reports that it signed a different message', async () => {
  const { message } = await sendRequest();
  const signature = await signMessage(wallet, message);
  for (const claimed of ['', 'Something else', `${message}\n`, message.slice(1)]) {
    const signedMessage = toBase64(encode(claimed));
    const { message: why } = await expectRefused('wallets.signature_invalid', signature, signedMessage);
    expect(why).toContain('signed a different message than requested');
  }
  await readResponse(save(signature, toBase64(encode(message))), 201);
});

it.each(['given', 'not given'])(
  'a challenge is valid only for the user who requested it (signed message %s)',
  async (given) => {
    const other = await app.signIn('other');
    const { message } = await sendRequest(other);
    const signature = await signMessage(wallet, message);
    const signedMessage = given === 'given' ? toBase64(encode(message)) : undefined;
    await expectRefused('wallets.challenge_invalid', signature, signedMessage);
    await sendRequest();
    await expectRefused('wallets.signature_invalid', signature, signedMessage);
    const saved = await readResponse<SavedWallet>(save(signature, signedMessage, { saver: other }), 201);
    expect(saved).toMatchObject({ isProven: true });
  },
);

it('a challenge is valid only for its address', async () => {
  const { message } = await sendRequest();
  const address = stranger.publicKey.toBase58();
  await sendRequest(person, address);
  const signedMessage = toBase64(encode(message));
  for (const key of [wallet, stranger]) {
    const signature = await signMessage(key, message);
    await expectRefused('wallets.signature_invalid', signature, signedMessage, { address });
  }
});

it('a challenge cannot be used twice, even after its wallet was removed and a new challenge was requested', async () => {
  const { message } = await sendRequest();
  const signature = await signMessage(wallet, message);
  const signedMessage = toBase64(encode(message));
  const { id } = await readResponse<SavedWallet>(save(signature, signedMessage), 201);
  await expectRefused('wallets.challenge_invalid', signature, signedMessage);
  await readResponse(person.delete(`/api/user/wallets/${id}`));
  await sendRequest();
  await expectRefused('wallets.signature_invalid', signature, signedMessage);
  expect(await query('SELECT id FROM wallets')).toEqual([]);
});

it('a challenge is valid until one millisecond before its expiry', async () => {
  const [early, late] = [await sendRequest(), await sendRequest()];
  await app.advance(WALLET_CHALLENGE_MS - 1);
  await readResponse(save(await signMessage(wallet, early.message), toBase64(encode(early.message))), 201);
  await app.advance(1);
  const signature = await signMessage(wallet, late.message);
  await expectRefused('wallets.challenge_invalid', signature, toBase64(encode(late.message)));
});

/** Rebuilds the text from its fields with the Wallet Standard's library, and compares it with `signedMessage`. */
function isMessageByStandard({ input }: WalletChallenge, signedMessage: Uint8Array): boolean {
  const account = { address: walletAddress, publicKey: wallet.publicKey.toBytes(), chains: [], features: [] };
  const derived = deriveSignInMessage(input, { account, signedMessage, signature: new Uint8Array(64) });
  return derived !== null && toBase64(derived) === toBase64(signedMessage);
}

/** The bytes of a transaction that takes money from the wallet. */
function paymentBytes(): Uint8Array {
  return new Transaction({
    feePayer: wallet.publicKey,
    blockhash: stranger.publicKey.toBase58(),
    lastValidBlockHeight: 1,
  })
    .add(SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: stranger.publicKey, lamports: 1 }))
    .serializeMessage();
}
