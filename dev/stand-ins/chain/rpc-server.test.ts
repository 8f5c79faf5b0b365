import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { fund, openTestChain, requestOf, send, serveTestChain } from './test-environment.ts';

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
