import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ComputeBudgetProgram, Keypair, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { RpcError } from './rpc-error.ts';
import { fund, openTestChain, sign, SLOT, SOL, START, transfer } from './test-environment.ts';

const address = (keypair: Keypair) => keypair.publicKey.toBase58();
const DAY = 24 * 60 * 60 * 1000;

function caught(run: () => unknown): RpcError {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('submit throws a preflight error if the payer has too few lamports, and charges no fee', () => {
  const { chain } = openTestChain();
  const from = fund(chain, SOL);
  const raw = transfer(chain, from, Keypair.generate(), 2n * SOL);
  const error = caught(() => chain.submit(raw));
  expect(error.code).toBe(-32002);
  expect(error.message).toBe(
    'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
  );
  expect(error.data).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] }, accounts: null });
  expect((error.data as { logs: string[] }).logs).toContain(
    `Transfer: insufficient lamports ${SOL - 5000n}, need ${2n * SOL}`,
  );
  expect(chain.balance(address(from))).toBe(SOL);
});

test("submit without preflight drops a transaction that can't pay its fee", () => {
  const { chain } = openTestChain();
  const raw = transfer(chain, Keypair.generate(), Keypair.generate(), SOL);
  const signature = chain.submit(raw, { skipPreflight: true });
  expect(bs58.decode(signature)).toHaveLength(64);
  expect(chain.transaction(signature)).toBeUndefined();
  expect(caught(() => chain.submit(raw)).data).toMatchObject({ err: 'AccountNotFound' });
});

test('submit refuses a transfer that leaves a new account below the rent minimum', () => {
  const { chain } = openTestChain();
  const [from, to] = [fund(chain), Keypair.generate()];
  const error = caught(() => chain.submit(transfer(chain, from, to, 100_000n)));
  expect(error.data).toMatchObject({ err: { InsufficientFundsForRent: { account_index: 1 } } });
  expect(error.message).toContain('Transaction results in an account (1) with insufficient funds for rent');
  chain.submit(transfer(chain, from, to, chain.minimumBalance(0)));
  chain.submit(transfer(chain, from, to, 100_000n));
  expect(chain.balance(address(to))).toBe(chain.minimumBalance(0) + 100_000n);
});

test('submit throws the cluster’s errors for a payer who can’t pay the fee, a missing program and invalid instructions', () => {
  const { chain } = openTestChain();
  const poor = fund(chain, chain.minimumBalance(0));
  const rich = fund(chain);
  const to = Keypair.generate();
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 });
  const nowhere = new TransactionInstruction({ programId: to.publicKey, keys: [] });
  const costly = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
  ];
  const errorOf = (raw: Buffer) => (caught(() => chain.submit(raw)).data as { err: unknown }).err;
  expect(errorOf(sign(chain, [poor], ...costly))).toBe('InsufficientFundsForFee');
  expect(errorOf(sign(chain, [rich], nowhere))).toBe('ProgramAccountNotFound');
  expect(errorOf(sign(chain, [rich], price, price))).toEqual({ DuplicateInstruction: 1 });
  const unknown = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [],
    data: Buffer.from([99]),
  });
  expect(caught(() => chain.submit(sign(chain, [rich], unknown)))).toMatchObject({
    message: expect.stringContaining('Error processing Instruction 0: invalid instruction data'),
    data: { err: { InstructionError: [0, 'InvalidInstructionData'] } },
  });
});

test('submit refuses a transaction with a broken signature', () => {
  const { chain } = openTestChain();
  const raw = transfer(chain, fund(chain), Keypair.generate(), SOL);
  raw[10] = (raw[10] ?? 0) ^ 1;
  expect(caught(() => chain.submit(raw))).toMatchObject({
    code: -32003,
    message: 'Transaction signature verification failure',
  });
  const signature = chain.submit(raw, { skipPreflight: true });
  expect(chain.transaction(signature)).toBeUndefined();
});

test('blockhashes expire after 150 slots', () => {
  const { chain, advance } = openTestChain();
  const to = Keypair.generate();
  const from = fund(chain);
  const [first, second] = [transfer(chain, from, to, SOL), transfer(chain, from, to, 2n * SOL)];
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
  advance(150 * SLOT);
  expect(chain.blockHeight()).toBe(lastValidBlockHeight);
  expect(chain.isBlockhashValid(blockhash)).toBe(true);
  chain.submit(first);
  advance(SLOT);
  expect(chain.isBlockhashValid(blockhash)).toBe(false);
  const error = caught(() => chain.submit(second));
  expect(error.message).toBe('Transaction simulation failed: Blockhash not found');
  expect(error.data).toMatchObject({ err: 'BlockhashNotFound', logs: [] });
  expect(chain.balance(address(to))).toBe(SOL);
});

test('the local chain accepts backdated transactions only in chronological order', () => {
  const { chain } = openTestChain();
  const to = address(Keypair.generate());
  const [long, less] = [START - 60 * DAY, START - 30 * DAY];
  const signature = chain.airdrop(to, SOL, { at: long });
  expect(chain.transaction(signature)).toMatchObject({ at: long, slot: (30 * DAY) / SLOT });
  const from = Keypair.generate();
  chain.airdrop(address(from), 5n * SOL, { at: less });
  const paid = chain.submit(transfer(chain, from, Keypair.generate(), SOL), { at: less + 1 });
  const landed = chain.transaction(paid);
  expect(landed?.at).toBe(less + 1);
  expect(landed && chain.commitmentOf(landed)).toBe('finalized');
  expect(() => chain.airdrop(to, SOL, { at: long })).toThrow(RangeError);
  expect(() => chain.airdrop(to, SOL, { at: START + 1 })).toThrow(RangeError);
});

test('balances, history, genesis, blockhashes and expiries survive a restart of the chain', () => {
  const environment = openTestChain();
  const { chain } = environment;
  const [from, to] = [fund(chain), Keypair.generate()];
  const expired = chain.latestBlockhash().blockhash;
  chain.expireBlockhash();
  const { blockhash } = chain.latestBlockhash();
  const paid = chain.submit(transfer(chain, from, to, SOL));
  const failed = chain.submit(transfer(chain, from, to, 50n * SOL), { skipPreflight: true });
  const later = transfer(chain, from, to, 3n * SOL);
  const before = { from: chain.balance(address(from)), genesis: chain.genesisHash };
  const remembered = [paid, failed].map((each) => chain.transaction(each));

  const again = environment.reopen();
  expect(again.balance(address(from))).toBe(before.from);
  expect(again.balance(address(to))).toBe(SOL);
  expect(again.genesisHash).toBe(before.genesis);
  expect([paid, failed].map((each) => again.transaction(each))).toEqual(remembered);
  expect(again.transactionsNaming(address(to))).toHaveLength(2);
  expect(again.isBlockhashValid(blockhash)).toBe(true);
  expect(again.isBlockhashValid(expired)).toBe(false);
  expect(caught(() => again.submit(transfer(again, from, to, SOL))).data).toMatchObject({
    err: 'AlreadyProcessed',
  });
  again.submit(later);
  expect(again.balance(address(to))).toBe(4n * SOL);
});

test('the ledger drops an incomplete last line, and later entries start on a new line', () => {
  const environment = openTestChain();
  const to = address(fund(environment.chain, SOL));
  appendFileSync(join(environment.dataDir, 'ledger.jsonl'), '{"kind":"transaction","at":17');
  expect(environment.reopen().balance(to)).toBe(SOL);
  environment.chain.airdrop(to, SOL);
  expect(environment.reopen().balance(to)).toBe(2n * SOL);
});

test('the error about a broken ledger line names the line’s number', () => {
  const environment = openTestChain();
  fund(environment.chain);
  const file = join(environment.dataDir, 'ledger.jsonl');
  const [genesis = '', ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [genesis, 'nonsense', ...rest].join('\n'));
  expect(() => environment.reopen()).toThrow('ledger.jsonl:2');
});

test('forget removes a transaction from balances and lists, and preserves independent transactions', () => {
  const environment = openTestChain();
  const { chain } = environment;
  const [from, to, other] = [fund(chain), Keypair.generate(), Keypair.generate()];
  const forgotten = chain.submit(transfer(chain, from, to, SOL));
  const included = chain.submit(transfer(chain, from, other, 2n * SOL));
  chain.forget(forgotten);
  for (const each of [chain, environment.reopen()]) {
    expect(each.transaction(forgotten)).toBeUndefined();
    expect(each.transactionsNaming(address(to))).toEqual([]);
    expect(each.balance(address(to))).toBe(0n);
    expect(each.balance(address(from))).toBe(8n * SOL - 5000n);
    expect(each.transaction(included)?.execution.error).toBeNull();
  }
});

test('forget also removes the transactions that depended on the forgotten transaction', () => {
  const environment = openTestChain();
  const { chain } = environment;
  const [from, between, to] = [fund(chain), fund(chain, SOL), Keypair.generate()];
  const first = chain.submit(transfer(chain, from, between, 5n * SOL));
  const second = chain.submit(transfer(chain, between, to, 4n * SOL));
  chain.forget(first);
  for (const each of [chain, environment.reopen()]) {
    expect([first, second].map((signature) => each.transaction(signature))).toEqual([undefined, undefined]);
    expect(each.balance(address(between))).toBe(SOL);
    expect(each.balance(address(to))).toBe(0n);
  }
});
