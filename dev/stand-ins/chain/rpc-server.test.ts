import { createServer } from 'node:http';
import { once } from 'node:events';
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Verdict } from '../controls/faults.ts';
import { startChainServer } from './rpc-server.ts';
import type { RpcResponse } from './test-environment.ts';
import {
  call,
  FINALITY,
  fund,
  openTestChain,
  post,
  requestOf,
  send,
  serveTestChain,
  SLOT,
  SOL,
  transfer,
  paidPlan,
} from './test-environment.ts';

test('web3.js can request an airdrop, pay, confirm over the WebSocket and read the payment', async () => {
  const { chain } = openTestChain({ now: Date.now });
  const { url } = await serveTestChain(chain);
  const connection = new Connection(url, 'confirmed');
  const [from, to, reference] = [Keypair.generate(), Keypair.generate(), Keypair.generate().publicKey];
  const airdrop = await connection.requestAirdrop(from.publicKey, 2 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) });
  expect(await connection.getBalance(from.publicKey)).toBe(2 * LAMPORTS_PER_SOL);

  const latest = await connection.getLatestBlockhash();
  const instruction = SystemProgram.transfer({
    fromPubkey: from.publicKey,
    toPubkey: to.publicKey,
    lamports: LAMPORTS_PER_SOL,
  });
  instruction.keys.push({ pubkey: reference, isSigner: false, isWritable: false });
  const transaction = new Transaction({ feePayer: from.publicKey, ...latest }).add(instruction);
  transaction.sign(from);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  const confirmed = await connection.confirmTransaction({ signature, ...latest });
  expect(confirmed.value.err).toBeNull();

  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(parsed?.meta).toMatchObject({
    err: null,
    fee: 5000,
    preBalances: [2 * LAMPORTS_PER_SOL, 0, 1, 0],
    postBalances: [LAMPORTS_PER_SOL - 5000, LAMPORTS_PER_SOL, 1, 0],
  });
  expect(parsed?.version).toBe('legacy');
  expect(parsed?.transaction.message.instructions).toMatchObject([
    {
      program: 'system',
      parsed: {
        type: 'transfer',
        info: {
          source: from.publicKey.toBase58(),
          destination: to.publicKey.toBase58(),
          lamports: LAMPORTS_PER_SOL,
        },
      },
    },
  ]);
  const keys = parsed?.transaction.message.accountKeys.map((key) => [
    key.pubkey.toBase58(),
    key.signer,
    key.writable,
  ]);
  expect(keys).toContainEqual([reference.toBase58(), false, false]);
  expect(keys).toContainEqual([from.publicKey.toBase58(), true, true]);
  const found = await connection.getSignaturesForAddress(reference);
  expect(found).toMatchObject([{ signature, err: null, memo: null }]);
});

describe('WebSocket subscriptions', () => {
  async function connect(url: string) {
    const { hostname, port } = new URL(url);
    const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`);
    const waiting: ((message: Record<string, unknown>) => void)[] = [];
    const received: Record<string, unknown>[] = [];
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      const next = waiting.shift();
      if (next === undefined) received.push(message);
      else next(message);
    });
    await once(socket, 'open');
    return {
      send: (text: string) => socket.send(text),
      next: () => {
        const message = received.shift();
        return message
          ? Promise.resolve(message)
          : new Promise<Record<string, unknown>>((resolve) => waiting.push(resolve));
      },
      async sendRequest(method: string, ...params: unknown[]) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
        return (await this.next()) as RpcResponse;
      },
    };
  }

  test('a subscription to a signature sends the transaction’s error when the transaction reaches the requested commitment', async () => {
    const { chain, advance } = openTestChain();
    const { url } = await serveTestChain(chain);
    const socket = await connect(url);
    const poor = transfer(chain, fund(chain, SOL), Keypair.generate(), 9n * SOL);
    const signature = chain.submit(poor, { skipPreflight: true });
    const slot = chain.clock.slot();
    const err = { InstructionError: [0, { Custom: 1 }] };
    const finalized = await socket.sendRequest('signatureSubscribe', signature, { commitment: 'finalized' });
    const processed = await socket.sendRequest('signatureSubscribe', signature, { commitment: 'processed' });
    expect(await socket.next()).toMatchObject({
      method: 'signatureNotification',
      params: { subscription: processed.result, result: { context: { slot }, value: { err } } },
    });
    advance(FINALITY);
    expect(await socket.next()).toMatchObject({ params: { subscription: finalized.result } });
    const again = await socket.sendRequest('signatureUnsubscribe', finalized.result);
    expect(again.error?.code).toBe(-32602);
    socket.send('nonsense');
    expect(await socket.next()).toMatchObject({ error: { code: -32700 } });
    expect((await socket.sendRequest('getBalance')).error?.code).toBe(-32601);
  });
});

test("the RPC server refuses batches and long lists, as Helius's and QuickNode's free plans do", async () => {
  const { url } = await serveTestChain(openTestChain().chain);
  const respond = async (body: unknown) => {
    const response = await send(url, body);
    return { status: response.status, body: await response.json() };
  };
  expect(await respond([requestOf('getHealth')])).toEqual({
    status: 403,
    body: {
      jsonrpc: '2.0',
      error: {
        code: -32403,
        message: expect.stringMatching(/^Batch requests are only available for paid plans\./),
      },
    },
  });
  const statuses = (count: number) =>
    requestOf('getSignatureStatuses', [Array.from({ length: count }, () => '1'.repeat(64))]);
  expect((await respond(statuses(5))).status).toBe(200);
  const refused = {
    code: -32615,
    message: expect.stringContaining('getSignatureStatuses is limited to a 5 range'),
  };
  expect(await respond(statuses(6))).toEqual({
    status: 413,
    body: { jsonrpc: '2.0', id: 1, error: refused },
  });
});

test('the RPC server responds to a batch in order with ids and errors if the plan accepts batches', async () => {
  const { url } = await serveTestChain(openTestChain().chain, { limits: paidPlan() });
  const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });
  expect(await post(url, [request(1, 'getHealth'), request('b', 'getNothing'), 5])).toEqual([
    { jsonrpc: '2.0', id: 1, result: 'ok' },
    { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } },
  ]);
  expect(await post(url, [])).toMatchObject({ error: { code: -32600 } });
  expect(await post(url, '{"jsonrpc"')).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'Parse error' },
  });
  expect(await post(url, { id: 1, method: 'getHealth' })).toMatchObject({ error: { code: -32600 } });
});

test('the RPC server writes u64s beyond 2^53 exactly', async () => {
  const { chain } = openTestChain();
  const { url } = await serveTestChain(chain);
  const to = fund(chain).publicKey.toBase58();
  const response = await send(url, requestOf('getAccountInfo', [to, { commitment: 'processed' }]));
  expect(await response.text()).toContain('"rentEpoch":18446744073709551615');
});

test('the RPC server allows any origin, and refuses GET, other content types and large bodies', async () => {
  const { url } = await serveTestChain(openTestChain().chain);
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:8787',
      'access-control-request-headers': 'content-type,solana-client',
    },
  });
  expect(preflight.ok).toBe(true);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,solana-client');
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(url)).status).toBe(405);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(415);
  const large = await send(url, ' '.repeat(1024 * 1024 + 1));
  expect(large.status).toBe(413);
  expect(large.headers.get('access-control-allow-origin')).toBe('*');
});

test('an RPC fault affects only its method and path, also within a batch', async () => {
  const faults: Record<string, Verdict> = { '/ getSlot': { status: 503 }, '/ getVersion': { drop: true } };
  const faultRequests: string[] = [];
  const { url } = await serveTestChain(openTestChain().chain, {
    limits: paidPlan(),
    fault: async ({ method, path }) => {
      faultRequests.push(`${path} ${method}`);
      return faults[`${path} ${method}`];
    },
  });
  const statusOf = async (body: unknown, path = '') => (await send(url + path, body)).status;
  const [health, slot] = [requestOf('getHealth'), requestOf('getSlot')];
  expect(await statusOf(health)).toBe(200);
  expect(await statusOf(slot)).toBe(503);
  expect(await statusOf([health, slot])).toBe(503);
  await expect(statusOf(requestOf('getVersion'))).rejects.toThrow();
  expect(await statusOf(slot, '/fallback')).toBe(200);
  expect(faultRequests).toEqual([
    '/ getHealth',
    '/ getSlot',
    '/ getHealth',
    '/ getSlot',
    '/ getVersion',
    '/fallback getSlot',
  ]);
});

test('a transaction is executed even if a fault drops the response', async () => {
  const { chain } = openTestChain();
  const faults: Record<string, Verdict> = { sendTransaction: { dropResponse: true } };
  const { url } = await serveTestChain(chain, { fault: async ({ method }) => faults[method] });
  const [from, to] = [fund(chain), Keypair.generate()];
  const sent = transfer(chain, from, to, SOL).toString('base64');
  await expect(call(url, 'sendTransaction', sent, { encoding: 'base64' })).rejects.toThrow('fetch failed');
  expect(
    (await call(url, 'getBalance', to.publicKey.toBase58(), { commitment: 'processed' })).result.value,
  ).toBe(Number(SOL));
});

test('an RPC fault can cut a response in half, and a 429 has Retry-After', async () => {
  const { chain } = openTestChain();
  const faults: Record<string, Verdict> = { getSlot: { cutResponse: true }, getHealth: { status: 429 } };
  const { url } = await serveTestChain(chain, { fault: async ({ method }) => faults[method] });
  await expect(call(url, 'getSlot')).rejects.toThrow(SyntaxError);
  const refused = await send(url, requestOf('getHealth'));
  expect(refused.headers.get('retry-after')).toBe('3');
});

test("starting the RPC server throws the system's error when the HTTP or WebSocket port is taken", async () => {
  const { chain } = openTestChain();
  const { url } = await serveTestChain(chain);
  const port = Number(new URL(url).port);
  await expect(startChainServer({ chain, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  await expect(startChainServer({ chain, port: port + 1 })).rejects.toMatchObject({ code: 'EADDRINUSE' });

  const before = await startChainServer({ chain, port: 0 });
  await before.close();
  const free = Number(new URL(before.url).port);
  const other = createServer().listen(free + 1, '127.0.0.1');
  await once(other, 'listening');
  await expect(startChainServer({ chain, port: free })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port: free + 1,
  });
  await expect(fetch(`http://127.0.0.1:${free}`)).rejects.toThrow();
  other.close();
});

test('the methods about slots, epochs, rent and fees return the values of the simulated chain', async () => {
  const { chain, advance } = openTestChain();
  const { url } = await serveTestChain(chain);
  const slot = chain.clock.slot();
  expect((await call(url, 'getSlot', { commitment: 'processed' })).result).toBe(slot);
  expect((await call(url, 'getSlot')).result).toBe(slot - 32);
  advance(SLOT);
  expect((await call(url, 'getBlockHeight', { commitment: 'confirmed' })).result).toBe(slot);
  expect((await call(url, 'getGenesisHash')).result).toBe(chain.genesisHash);
  expect(new PublicKey(chain.genesisHash).toBytes()).toHaveLength(32);
  expect((await call(url, 'getVersion')).result).toHaveProperty('solana-core');
  expect((await call(url, 'getMinimumBalanceForRentExemption', 165)).result).toBe(1_488_440);
  expect((await call(url, 'getEpochInfo')).result).toMatchObject({
    absoluteSlot: slot - 31,
    slotsInEpoch: 432_000,
  });
  expect((await call(url, 'getRecentPrioritizationFees')).result).toHaveLength(150);
  expect((await call(url, 'getRecentPerformanceSamples', 2)).result).toMatchObject([
    { numSlots: 60_000 / SLOT, samplePeriodSecs: 60 },
    { numSlots: 60_000 / SLOT, samplePeriodSecs: 60 },
  ]);
  const confirmed = { commitment: 'confirmed' };
  expect((await call(url, 'getBlocks', slot - 1, slot + 9, confirmed)).result).toEqual([slot - 1, slot]);
  const time = Math.floor(chain.clock.timeOf(slot) / 1_000);
  expect((await call(url, 'getBlockTime', slot)).result).toBe(time);
  expect((await call(url, 'getBlockTime', slot + 9)).error).toMatchObject({ code: -32004 });
});
