import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { stubChain } from '#test/payments/stub-solana.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '#test/people/tokens.ts';
import { toBase64 } from '../shared/base64.ts';

const newMint = () => Keypair.generate().publicKey.toBase58();

/** An account as a node sends it. */
const account = (data: Uint8Array, owner = TOKEN_2022_PROGRAM) => ({
  owner: owner.toBase58(),
  data: [toBase64(data), 'base64'],
  lamports: 1,
  executable: false,
  rentEpoch: 0,
});
const respond = (...value: unknown[]) => ({ result: { context: { slot: 7 }, value } });

interface Extension {
  readonly type: number;
  readonly length?: number;
  readonly multipliers?: readonly [multiplier: number, newMultiplier: number];
}

/** A Token-2022 account with an extension of 4 bytes, and then this one. */
function withExtension({ type, length = 56, multipliers = [1, 10] }: Extension, accountType = 1): Uint8Array {
  const data = new Uint8Array(165 + 1 + 4 + 4 + 4 + 56);
  const view = new DataView(data.buffer);
  data[165] = accountType;
  view.setUint16(166, 9, true);
  view.setUint16(168, 4, true);
  view.setUint16(174, type, true);
  view.setUint16(176, length, true);
  view.setFloat64(178 + 32, multipliers[0], true);
  view.setBigInt64(178 + 40, 1_800_000_000n, true);
  view.setFloat64(178 + 48, multipliers[1], true);
  return data;
}
const scale = { multiplier: 1, newMultiplier: 10, newMultiplierAt: 1_800_000_000_000 };

it.each([
  ['of the original token program isn’t scaled', account(new Uint8Array(82), TOKEN_PROGRAM), null],
  ['of Token-2022 without extensions isn’t scaled', account(new Uint8Array(82)), null],
  ['with other extensions isn’t scaled', account(withExtension({ type: 14 })), null],
  ['with ScaledUiAmount is scaled', account(withExtension({ type: 25 })), scale],
  ['that doesn’t exist can’t be read', null, undefined],
  ['of another program can’t be read', account(new Uint8Array(82), SystemProgram.programId), undefined],
  ['that is a token account can’t be read', account(withExtension({ type: 25 }, 2)), undefined],
  ['with a cut extension can’t be read', account(withExtension({ type: 14, length: 57 })), undefined],
  [
    'with a multiplier of 0 can’t be read',
    account(withExtension({ type: 25, multipliers: [0, 1] })),
    undefined,
  ],
  [
    'with an infinite multiplier can’t be read',
    account(withExtension({ type: 25, multipliers: [1, Infinity] })),
    undefined,
  ],
])('a mint %s', async (_, sent, expected) => {
  const mint = newMint();
  const { chain } = stubChain({ primary: { getMultipleAccounts: respond(sent) } });
  expect((await chain.mintScales([mint])).get(mint)).toEqual(expected);
});

it('mints are read in requests of the configured size, and a mint without a result doesn’t get another mint’s', async () => {
  const mints = Array.from({ length: 4 }, newMint);
  const scaled = account(withExtension({ type: 25 }));
  const { chain, requests } = stubChain({
    signaturesPerRequest: 2,
    primary: { getMultipleAccounts: [respond(scaled), respond(scaled, account(new Uint8Array(82)))] },
  });
  const scales = await chain.mintScales(mints);
  expect(mints.map((mint) => scales.get(mint))).toEqual([scale, undefined, scale, null]);
  expect(requests()).toHaveLength(2);
});

it('an invalid mint address is left out, and no request is sent if no address is valid', async () => {
  const { chain, requests } = stubChain({});
  expect((await chain.mintScales(['not a mint'])).size).toBe(0);
  expect(requests()).toEqual([]);
});
