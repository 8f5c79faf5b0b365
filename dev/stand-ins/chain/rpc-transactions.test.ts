import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { getTransactionDecoder } from '@solana/transactions';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { MEMO_PROGRAM } from './programs.ts';
import { signVersion1 } from './sign-version-1.ts';
import {
  call,
  FINALITY,
  fund,
  openTestChain,
  post,
  serveTestChain,
  sign,
  SLOT,
  SOL,
  START,
  transfer,
  paidPlan,
} from './test-environment.ts';

const address = (keypair: Keypair) => keypair.publicKey.toBase58();
const confirmed = { commitment: 'confirmed' };

async function open() {
  const environment = openTestChain();
  return { ...environment, url: (await serveTestChain(environment.chain)).url };
}

test('sendTransaction refuses invalid transactions with the error codes of a cluster, and accepts base58 by default', async () => {
  const { chain, url } = await open();
  const from = fund(chain);
  const good = transfer(chain, from, Keypair.generate(), SOL);
  const forged = Buffer.from(good);
  forged[5] = (forged[5] ?? 0) ^ 1;
  const inBase64 = { encoding: 'base64' };
  const send = async (...params: unknown[]) => (await call(url, 'sendTransaction', ...params)).error;
  const text = good.toString('base64');
  const refused: readonly (readonly [params: unknown[], code: number, message: string])[] = [
    [[], -32602, '`params` should have at least 1 argument(s)'],
    [['%%%', inBase64], -32602, 'invalid base64 encoding: InvalidByte'],
    [['0OIl'], -32602, 'invalid base58 encoding'],
    [['AQID', inBase64], -32602, 'failed to deserialize'],
    [[Buffer.alloc(1300).toString('base64'), inBase64], -32602, '1300 bytes (max: 1232 bytes)'],
    [[Buffer.alloc(4099).toString('base64'), inBase64], -32602, 'base64 encoded solana_transaction'],
    [[text, { encoding: 'base32' }], -32602, 'unknown variant `base32`'],
    [[forged.toString('base64'), inBase64], -32003, 'signature verification'],
    [[text, { ...inBase64, minContextSlot: 2 ** 40 }], -32016, 'Minimum context slot'],
  ];
  for (const [params, code, message] of refused) {
    expect(await send(...params)).toMatchObject({ code, message: expect.stringContaining(message) });
  }
  const named = await post(url, { jsonrpc: '2.0', id: 1, method: 'getBalance', params: { pubkey: 'x' } });
  expect(named).toMatchObject({ error: { code: -32602 } });
  expect(await send(bs58.encode(good))).toBeUndefined();
  chain.expireBlockhash();
  expect(await send(text, inBase64)).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
});

test('simulateTransaction returns the result, changes nothing, and can skip the signature and the blockhash check', async () => {
  const { chain, url } = await open();
  const [from, to] = [fund(chain), Keypair.generate()];
  const simulate = (raw: Buffer, config: object = {}) =>
    call(url, 'simulateTransaction', raw.toString('base64'), { encoding: 'base64', ...config });
  const raw = transfer(chain, from, to, SOL);
  const accounts = { encoding: 'base64', addresses: [address(to)] };
  const { result } = await simulate(raw, { sigVerify: true, accounts });
  const moved = { err: null, unitsConsumed: 150, accounts: [{ lamports: Number(SOL) }] };
  expect(result.value).toMatchObject(moved);
  expect(chain.balance(address(to))).toBe(0n);
  const poor = { err: { InstructionError: [0, { Custom: 1 }] }, accounts: null };
  expect((await simulate(transfer(chain, from, to, 99n * SOL))).result.value).toMatchObject(poor);
  raw.fill(0, 1, 65);
  chain.expireBlockhash();
  expect((await simulate(raw)).result.value.err).toBe('BlockhashNotFound');
  const replaced = (await simulate(raw, { replaceRecentBlockhash: true })).result.value;
  expect(replaced).toMatchObject({ err: null, replacementBlockhash: { blockhash: expect.any(String) } });
  expect((await simulate(raw, { sigVerify: true })).error?.code).toBe(-32003);
  const both = { sigVerify: true, replaceRecentBlockhash: true };
  expect((await simulate(raw, both)).error?.code).toBe(-32602);
});

test('getSignatureStatuses returns null for an unknown signature, and for an old signature unless it searches the history', async () => {
  const { chain, url, advance } = await open();
  const [old, forked] = [1n, 2n].map((each) => chain.airdrop(address(Keypair.generate()), each * SOL));
  advance(301 * SLOT);
  const statuses = async (config: object) =>
    (await call(url, 'getSignatureStatuses', [old, forked, bs58.encode(new Uint8Array(64).fill(9))], config))
      .result.value;
  expect(await statuses({})).toEqual([null, null, null]);
  chain.forget(forked ?? '');
  const found = await statuses({ searchTransactionHistory: true });
  expect(found).toMatchObject([{ confirmationStatus: 'finalized' }, null, null]);
  expect((await call(url, 'getSignatureStatuses', ['short'])).error?.code).toBe(-32602);
  const many = Array.from({ length: 257 }, () => old);
  const paid = await serveTestChain(chain, { limits: paidPlan() });
  expect((await call(paid.url, 'getSignatureStatuses', many)).error?.message).toContain('max 256');
});

describe('getTransaction', () => {
  test('getTransaction returns JSON and base64, also for a failed transaction with its fee', async () => {
    const { chain, url, advance } = await open();
    const [from, to] = [fund(chain, SOL), Keypair.generate()];
    const raw = transfer(chain, from, to, 5n * SOL);
    const signature = chain.submit(raw, { skipPreflight: true });
    advance(FINALITY);
    const err = { InstructionError: [0, { Custom: 1 }] };
    const { result } = await call(url, 'getTransaction', signature, 'json');
    expect(result.meta).toMatchObject({
      err,
      status: { Err: err },
      fee: 5000,
      innerInstructions: [],
      rewards: [],
      computeUnitsConsumed: 150,
      preBalances: [Number(SOL), 0, 1],
      postBalances: [Number(SOL) - 5000, 0, 1],
      preTokenBalances: [],
      postTokenBalances: [],
      loadedAddresses: { writable: [], readonly: [] },
    });
    expect(result.transaction).toMatchObject({
      signatures: [signature],
      message: {
        accountKeys: [address(from), address(to), SystemProgram.programId.toBase58()],
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        instructions: [{ programIdIndex: 2, accounts: [0, 1] }],
      },
    });
    expect(result).not.toHaveProperty('version');
    const base64 = (await call(url, 'getTransaction', signature, { encoding: 'base64' })).result;
    expect(base64.transaction).toEqual([raw.toString('base64'), 'base64']);
  });

  test('getTransaction parses memos and instructions of the System Program, but not of the Compute Budget program', async () => {
    const { chain, url, advance } = await open();
    const [from, created] = [fund(chain), Keypair.generate()];
    const programId = new PublicKey('ComputeBudget111111111111111111111111111111');
    const limit = new TransactionInstruction({ programId, keys: [], data: Buffer.from([2, 64, 13, 3, 0]) });
    const memoProgram = new PublicKey(MEMO_PROGRAM);
    const memo = new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from('grüße') });
    const seeded = await PublicKey.createWithSeed(from.publicKey, 'seed', SystemProgram.programId);
    const signature = chain.submit(
      sign(
        chain,
        [from, created],
        limit,
        SystemProgram.createAccount({
          fromPubkey: from.publicKey,
          newAccountPubkey: created.publicKey,
          lamports: 2e9,
          space: 10,
          programId,
        }),
        SystemProgram.createAccountWithSeed({
          fromPubkey: from.publicKey,
          newAccountPubkey: seeded,
          basePubkey: from.publicKey,
          seed: 'seed',
          lamports: 1e9,
          space: 0,
          programId: SystemProgram.programId,
        }),
        memo,
      ),
    );
    advance(FINALITY);
    const { result } = await call(url, 'getTransaction', signature, { encoding: 'jsonParsed' });
    const owner = address(from);
    expect(result.meta.err).toBeNull();
    const createAccount = {
      source: owner,
      newAccount: address(created),
      lamports: 2e9,
      space: 10,
      owner: programId.toBase58(),
    };
    const createAccountWithSeed = {
      source: owner,
      newAccount: seeded.toBase58(),
      base: owner,
      seed: 'seed',
      lamports: 1e9,
      space: 0,
      owner: SystemProgram.programId.toBase58(),
    };
    const parsed = (type: string, info: object) =>
      expect.objectContaining({ program: 'system', parsed: { type, info } });
    const data = bs58.encode(Buffer.from([2, 64, 13, 3, 0]));
    expect(result.transaction.message.instructions).toEqual([
      { programId: programId.toBase58(), accounts: [], data, stackHeight: 1 },
      parsed('createAccount', createAccount),
      parsed('createAccountWithSeed', createAccountWithSeed),
      { program: 'spl-memo', programId: MEMO_PROGRAM, parsed: 'grüße', stackHeight: 1 },
    ]);
    const [listed] = (await call(url, 'getSignaturesForAddress', address(created))).result;
    expect(listed).toMatchObject({ signature, memo: '[7] grüße' });
  });
});

test('getSignaturesForAddress lists failed transactions too, newest first, in pages, and uses the requested commitment', async () => {
  const { chain, url, advance } = await open();
  const [from, to] = [fund(chain, 10n * SOL), Keypair.generate()];
  const signatures = [1n, 2n, 99n, 3n].map((each) => {
    advance(SLOT);
    return chain.submit(transfer(chain, from, to, each * SOL), { skipPreflight: true });
  });
  const newestFirst = [...signatures].reverse();
  const list = async (config: object = {}) => {
    const { result } = await call(url, 'getSignaturesForAddress', address(to), config);
    return (result as { signature: string }[]).map(({ signature }) => signature);
  };
  expect([await list(confirmed), await list()]).toEqual([newestFirst.slice(1), []]);
  advance(FINALITY);
  expect(await list()).toEqual(newestFirst);
  expect(await list({ limit: 2 })).toEqual(newestFirst.slice(0, 2));
  expect(await list({ before: newestFirst[1] })).toEqual(newestFirst.slice(2));
  expect(await list({ until: newestFirst[2] })).toEqual(newestFirst.slice(0, 2));
  expect(await list({ before: newestFirst[0], until: newestFirst[3], limit: 1 })).toEqual([newestFirst[1]]);
  const { result } = await call(url, 'getSignaturesForAddress', address(to));
  expect(result[1]).toMatchObject({
    err: { InstructionError: [0, { Custom: 1 }] },
    confirmationStatus: 'finalized',
    memo: null,
  });
  expect((await call(url, 'getSignaturesForAddress', address(to), { limit: 1001 })).error?.message).toBe(
    'Invalid limit; max 1000',
  );
});

describe('transactions of version 1', () => {
  const version = (maxSupportedTransactionVersion: number) => ({ maxSupportedTransactionVersion });

  async function landVersion1(memoBytes: number) {
    const environment = await open();
    const { chain, url } = environment;
    const [from, to] = [fund(chain), Keypair.generate()];
    const memo = { programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.alloc(memoBytes, 'm') };
    const raw = signVersion1({
      instructions: [
        SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: SOL }),
        new TransactionInstruction(memo),
      ],
      signers: [from],
      blockhash: chain.latestBlockhash().blockhash,
      priorityFee: 700n,
    });
    const params = [Buffer.from(raw).toString('base64'), { encoding: 'base64' }] as const;
    const simulated = (await call(url, 'simulateTransaction', ...params)).result?.value;
    const { result: signature, error } = await call(url, 'sendTransaction', ...params);
    environment.advance(FINALITY);
    const get = (config: object) => call(url, 'getTransaction', signature, config);
    return { ...environment, raw, simulated, signature, error, from, to, get };
  }

  test('a version 1 transaction executes, pays its priority fee, and is returned in every encoding', async () => {
    const { chain, url, raw, simulated, signature, from, to, get } = await landVersion1(1_000);
    expect(simulated.err).toBeNull();
    expect(signature).toBe(bs58.encode(raw.slice(-64)));
    expect(getTransactionDecoder().decode(raw).signatures).toHaveProperty(address(from));
    expect(chain.balance(address(to))).toBe(SOL);
    const message = raw.slice(0, -64);
    const { blockhash } = chain.latestBlockhash({ at: START });
    expect(VersionedTransaction.deserialize(raw).message.recentBlockhash).toBe(blockhash);
    const fee = await call(url, 'getFeeForMessage', Buffer.from(message).toString('base64'));
    expect(fee.result.value).toBe(5_700);

    const transactionConfig = {
      computeUnitLimit: 200_000,
      heapSize: null,
      loadedAccountsDataSizeLimit: 2 ** 26,
      priorityFee: 700,
    };
    const json = (await get(version(1))).result;
    expect(json).toMatchObject({ version: 1, meta: { err: null, fee: 5_700 } });
    expect(json.transaction.message).toMatchObject({ transactionConfig, accountKeys: expect.any(Array) });
    expect(json.transaction.message).not.toHaveProperty('addressTableLookups');
    const parsed = (await get({ ...version(1), encoding: 'jsonParsed' })).result.transaction.message;
    expect(parsed).toMatchObject({ transactionConfig, instructions: [{ parsed: { type: 'transfer' } }, {}] });
    const base64 = (await get({ ...version(1), encoding: 'base64' })).result.transaction;
    expect(base64).toEqual([Buffer.from(raw).toString('base64'), 'base64']);
    const read = await new Connection(url).getTransaction(signature, version(1));
    expect(read?.transaction.message.version).toBe(1);
  });

  test('getTransaction refuses version 1 unless the client supports it, but lists include the transaction and its memo', async () => {
    const { url, signature, to, get } = await landVersion1(3);
    const refused = {
      code: -32015,
      message:
        'Transaction version (1) is not supported by the requesting client. Please try the request again ' +
        'with the following configuration parameter: "maxSupportedTransactionVersion": 1',
    };
    expect((await get({})).error).toEqual(refused);
    expect((await get(version(0))).error).toEqual(refused);
    const [listed] = (await call(url, 'getSignaturesForAddress', address(to))).result;
    expect(listed).toMatchObject({ signature, memo: '[3] mmm', err: null });
  });

  test('a version 1 transaction may have 4,096 bytes and no more', async () => {
    const { error, raw } = await landVersion1(3_824);
    expect([error, raw.length]).toEqual([undefined, 4_096]);
    const tooLarge = (await landVersion1(3_825)).error;
    expect(tooLarge?.message).toContain('4097 bytes (max: 4096 bytes)');
  });

  test('a version 1 transaction fails without compute units, and under load it lands only with a priority fee', async () => {
    const { chain } = await open();
    const from = fund(chain);
    const send = (config: object) => {
      const instructions = [
        SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: PublicKey.unique(), lamports: SOL }),
      ];
      const { blockhash } = chain.latestBlockhash();
      return chain.submit(signVersion1({ instructions, signers: [from], blockhash, ...config }));
    };
    expect(() => send({ computeUnitLimit: 0 })).toThrow('Transaction simulation failed');
    chain.setLoad(100n);
    expect(chain.transaction(send({ computeUnitLimit: 1_000 }))).toBeUndefined();
    expect(chain.transaction(send({ computeUnitLimit: 1_000, priorityFee: 1n }))).toBeDefined();
  });

  test('a transaction made unreadable moves lamports and is listed as version 2, and no library can decode the transaction', async () => {
    const { chain, url, signature, to, get } = await landVersion1(3);
    chain.makeUnreadable(signature);
    expect((await get(version(1))).error).toMatchObject({
      code: -32015,
      message: expect.stringContaining('Transaction version (2)'),
    });
    const { result } = await get({ ...version(2), encoding: 'base64' });
    expect(result.version).toBe(2);
    const raw = Buffer.from(result.transaction[0], 'base64');
    expect(() => VersionedTransaction.deserialize(raw)).toThrow();
    expect(() => getTransactionDecoder().decode(raw)).toThrow();
    const parsed = (await get({ ...version(2), encoding: 'jsonParsed' })).result.transaction;
    expect(parsed).toEqual({ signatures: [signature], message: { payload: expect.any(String) } });
    chain.makeUnreadable(signature, true);
    expect((await get(version(1))).result.version).toBe(2);
    expect(chain.balance(address(to))).toBe(SOL);
    const [listed] = (await call(url, 'getSignaturesForAddress', address(to))).result;
    expect(listed).toMatchObject({ signature, memo: '[3] mmm' });
    const statuses = await call(url, 'getSignatureStatuses', [signature]);
    expect(statuses.result.value[0].confirmationStatus).toBe('finalized');
    chain.makeAllReadable();
    expect((await get(version(1))).result.version).toBe(1);
  });
});
