import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import {
  call,
  FINALITY,
  fund,
  openTestChain,
  paidPlan,
  serveTestChain,
  SLOT,
  SOL,
} from './test-environment.ts';

async function open() {
  const environment = openTestChain();
  return { ...environment, url: (await serveTestChain(environment.chain)).url };
}

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
