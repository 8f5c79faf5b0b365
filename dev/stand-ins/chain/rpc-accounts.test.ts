import { type AccountMeta, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { Chain } from './chain.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import {
  call,
  FINALITY,
  fund,
  openTestChain,
  paidPlan,
  serveTestChain,
  sign,
  SLOT,
  SOL,
} from './test-environment.ts';

const MINT_RENT = 1_461_600;
const DECIMALS = 5;

const read = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: false });
const write = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: true });
const signer = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: true });
const u64 = (value: bigint) => [...Buffer.from(BigUint64Array.of(value).buffer)];

function createTokens(chain: Chain, program: string) {
  const [keypair, mintKeypair] = [fund(chain), Keypair.generate()];
  const [owner, mint, friend] = [keypair.publicKey, mintKeypair.publicKey, Keypair.generate().publicKey];
  const programId = new PublicKey(program);
  const associated = new PublicKey(ASSOCIATED_TOKEN_PROGRAM);
  const instruct = (keys: AccountMeta[], data: number[]) =>
    new TransactionInstruction({ programId, keys, data: Buffer.from(data) });
  const accountOf = (wallet: PublicKey) =>
    PublicKey.findProgramAddressSync([wallet.toBytes(), programId.toBytes(), mint.toBytes()], associated)[0];
  const openAccount = (wallet: PublicKey) =>
    new TransactionInstruction({
      programId: associated,
      keys: [
        signer(owner),
        write(accountOf(wallet)),
        ...[wallet, mint, SystemProgram.programId, programId].map(read),
      ],
      data: Buffer.from([1]),
    });
  const submit = (...instructions: TransactionInstruction[]) =>
    chain.submit(sign(chain, [keypair], ...instructions));

  const [from, to] = [accountOf(owner), accountOf(friend)];
  const createMint = SystemProgram.createAccount({
    fromPubkey: owner,
    newAccountPubkey: mint,
    lamports: MINT_RENT,
    space: 82,
    programId,
  });
  const initializeMint = instruct([write(mint)], [20, DECIMALS, ...owner.toBytes(), 0]);
  const mintTo = instruct([write(mint), write(from), signer(owner)], [7, ...u64(100_000_000n)]);
  const minted = chain.submit(
    sign(chain, [keypair, mintKeypair], createMint, initializeMint, openAccount(owner), mintTo),
  );
  const checked = [12, ...u64(1_250_000n), DECIMALS];
  const sent = submit(
    openAccount(friend),
    instruct([write(from), read(mint), write(to), signer(owner)], checked),
  );
  const plain = submit(instruct([write(from), write(to), signer(owner)], [3, ...u64(1n)]));
  return {
    owner: owner.toBase58(),
    mint: mint.toBase58(),
    friend: friend.toBase58(),
    from: from.toBase58(),
    to: to.toBase58(),
    minted,
    sent,
    plain,
  };
}

async function open() {
  const environment = openTestChain();
  return { ...environment, url: (await serveTestChain(environment.chain)).url };
}

describe.each([
  ['SPL Token', TOKEN_PROGRAM, 'spl-token'],
  ['Token-2022', TOKEN_2022_PROGRAM, 'spl-token-2022'],
])('%s', (_name, program, accountProgram) => {
  test('a transaction that mints and transfers tokens has token balances and parsed instructions', async () => {
    const { chain, url, advance } = await open();
    const { owner, mint, friend, from, to, minted, sent, plain } = createTokens(chain, program);
    advance(FINALITY);
    const get = async (signature: string) =>
      (await call(url, 'getTransaction', signature, { encoding: 'jsonParsed' })).result;

    const { meta, transaction } = await get(sent);
    const tokensOf = (balances: { owner: string }[], wallet: string) =>
      balances.find((each) => each.owner === wallet);
    expect(tokensOf(meta.preTokenBalances, owner)).toMatchObject({
      mint,
      programId: program,
      uiTokenAmount: { amount: '100000000', uiAmountString: '1000' },
    });
    expect(tokensOf(meta.preTokenBalances, friend)).toBeUndefined();
    expect(tokensOf(meta.postTokenBalances, owner)).toMatchObject({
      uiTokenAmount: { uiAmountString: '987.5' },
    });
    expect(tokensOf(meta.postTokenBalances, friend)).toMatchObject({
      uiTokenAmount: { uiAmount: 12.5, decimals: 5 },
    });
    const keys = (transaction.message.accountKeys as { pubkey: string }[]).map(({ pubkey }) => pubkey);
    const { accountIndex } = tokensOf(meta.postTokenBalances, friend) as unknown as { accountIndex: number };
    expect(keys[accountIndex]).toBe(to);
    expect(transaction.message.instructions).toMatchObject([
      {
        program: 'spl-associated-token-account',
        parsed: {
          type: 'createIdempotent',
          info: { account: to, wallet: friend, mint, tokenProgram: program },
        },
      },
      {
        program: 'spl-token',
        programId: program,
        parsed: {
          type: 'transferChecked',
          info: {
            source: from,
            destination: to,
            mint,
            authority: owner,
            tokenAmount: { uiAmountString: '12.5' },
          },
        },
      },
    ]);
    const inner = meta.innerInstructions.find((each: { index: number }) => each.index === 0).instructions;
    expect(inner).toContainEqual(
      expect.objectContaining({
        program: 'system',
        stackHeight: 2,
        parsed: expect.objectContaining({ type: 'createAccount' }),
      }),
    );
    expect(inner).toContainEqual(
      expect.objectContaining({
        parsed: { type: 'initializeAccount3', info: { account: to, mint, owner: friend } },
      }),
    );

    const making = (await get(minted)).transaction.message.instructions;
    expect(making[1].parsed).toEqual({
      type: 'initializeMint2',
      info: { mint, decimals: 5, mintAuthority: owner },
    });
    expect(making[3].parsed).toEqual({
      type: 'mintTo',
      info: { mint, account: from, amount: '100000000', mintAuthority: owner },
    });
    const [moving] = (await get(plain)).transaction.message.instructions;
    expect(moving.parsed).toEqual({
      type: 'transfer',
      info: { source: from, destination: to, amount: '1', authority: owner },
    });
  });

  test('getTokenAccountsByOwner finds and parses token accounts', async () => {
    const { chain, url, advance } = await open();
    const { friend, mint, to, owner } = createTokens(chain, program);
    const find = async (filter: object, config: object = {}) =>
      call(url, 'getTokenAccountsByOwner', friend, filter, { encoding: 'jsonParsed', ...config });
    expect((await find({ programId: program })).result.value).toEqual([]);
    advance(FINALITY);
    const { result } = await find({ mint });
    expect(result.value).toMatchObject([
      {
        pubkey: to,
        account: {
          owner: program,
          data: {
            program: accountProgram,
            parsed: {
              type: 'account',
              info: {
                mint,
                owner: friend,
                isNative: false,
                state: 'initialized',
                tokenAmount: { amount: '1250001', decimals: 5, uiAmountString: '12.50001' },
              },
            },
          },
        },
      },
    ]);
    expect((await find({ programId: program })).result.value).toHaveLength(1);
    expect((await find({ mint: friend })).error?.message).toBe('Invalid param: could not find mint');
    expect((await find({ programId: friend })).error?.message).toBe(
      'Invalid param: unrecognized Token program id',
    );
    expect((await find({})).error?.code).toBe(-32602);
    const parsedMint = (await call(url, 'getAccountInfo', mint, { encoding: 'jsonParsed' })).result.value
      .data;
    expect(parsedMint).toMatchObject({
      program: accountProgram,
      parsed: {
        type: 'mint',
        info: {
          decimals: 5,
          supply: '100000000',
          mintAuthority: owner,
          freezeAuthority: null,
          isInitialized: true,
        },
      },
    });
  });
});

test('the balance and account methods use the requested commitment', async () => {
  const { chain, url, advance } = await open();
  const to = fund(chain, SOL).publicKey.toBase58();
  const balance = async (commitment?: string) =>
    (await call(url, 'getBalance', to, ...(commitment ? [{ commitment }] : []))).result.value;
  expect([await balance('processed'), await balance('confirmed'), await balance()]).toEqual([
    Number(SOL),
    0,
    0,
  ]);
  advance(SLOT);
  expect([await balance('confirmed'), await balance()]).toEqual([Number(SOL), 0]);
  expect((await call(url, 'getAccountInfo', to, { encoding: 'base64' })).result.value).toBeNull();
  advance(FINALITY);
  expect(await balance()).toBe(Number(SOL));
  expect((await call(url, 'getAccountInfo', to, { encoding: 'jsonParsed' })).result.value).toMatchObject({
    lamports: Number(SOL),
    owner: SystemProgram.programId.toBase58(),
    executable: false,
    space: 0,
    data: ['', 'base64'],
  });
});

test('getMultipleAccounts slices data, and the account methods refuse invalid parameters', async () => {
  const { url } = await serveTestChain(openTestChain().chain, { limits: paidPlan() });
  const nobody = Keypair.generate().publicKey.toBase58();
  const { result } = await call(url, 'getMultipleAccounts', [TOKEN_PROGRAM, nobody], {
    encoding: 'base64',
    dataSlice: { offset: 0, length: 4 },
  });
  expect(result.value).toMatchObject([{ executable: true, space: 36, data: ['AgAAAA==', 'base64'] }, null]);
  const many = Array.from({ length: 101 }, () => nobody);
  for (const [method, params, error] of [
    ['getMultipleAccounts', [many], { message: 'Too many inputs provided; max 100' }],
    ['getAccountInfo', [ASSOCIATED_TOKEN_PROGRAM, { encoding: 'base58' }], { code: -32600 }],
    ['getMinimumBalanceForRentExemption', [2 ** 52], { code: -32600 }],
    ['getBalance', ['a'.repeat(900_000)], { message: 'Invalid param: WrongSize' }],
    [
      'getBalance',
      [nobody, { commitment: 'soon' }],
      { message: expect.stringContaining('unknown variant `soon`') },
    ],
  ] as const) {
    expect((await call(url, method, ...params)).error, method).toMatchObject(error);
  }
  expect((await call(url, 'getBalance', 5)).error).toEqual({
    code: -32602,
    message: 'Invalid params: invalid type: integer `5`, expected a string.',
  });
});
