// Makes a payment end to end: funds a new wallet, sends SOL and reads the parsed transaction. Needs a
// running local world: node dev/examples/transfer.ts [rpcUrl]
import assert from 'node:assert/strict';
import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js';

const FEE_LAMPORTS = 5000;

async function main(rpcUrl: string): Promise<void> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const [payer, recipient] = [Keypair.generate(), Keypair.generate()];
  console.log(`cluster   ${rpcUrl}, Solana ${(await connection.getVersion())['solana-core']}`);

  const airdrop = await connection.requestAirdrop(payer.publicKey, 2 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction({ signature: airdrop, ...(await connection.getLatestBlockhash()) });
  assert.equal(await connection.getBalance(payer.publicKey), 2 * LAMPORTS_PER_SOL);
  console.log(`airdrop   2 SOL to ${payer.publicKey.toBase58()}`);

  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
    SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: recipient.publicKey,
      lamports: LAMPORTS_PER_SOL,
    }),
  );
  transaction.sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  console.log(`sent      ${signature}`);

  const { value } = await connection.confirmTransaction({ signature, ...latest });
  assert.equal(value.err, null);
  console.log('confirmed');

  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  const [instruction] = parsed?.transaction.message.instructions ?? [];
  assert(instruction !== undefined && 'parsed' in instruction, 'the transfer came back unparsed');
  assert.deepEqual(instruction.parsed, {
    type: 'transfer',
    info: {
      source: payer.publicKey.toBase58(),
      destination: recipient.publicKey.toBase58(),
      lamports: LAMPORTS_PER_SOL,
    },
  });
  assert.equal(parsed?.meta?.fee, FEE_LAMPORTS);
  console.log(`read back 1 SOL to ${recipient.publicKey.toBase58()}, fee ${FEE_LAMPORTS} lamports`);

  assert.equal(await connection.getBalance(payer.publicKey), LAMPORTS_PER_SOL - FEE_LAMPORTS);
  assert.equal(await connection.getBalance(recipient.publicKey), LAMPORTS_PER_SOL);
  console.log('balances  correct');
}

main(process.argv[2] ?? 'http://127.0.0.1:8899').then(
  // Exit explicitly, because the connection's WebSocket would keep the process alive.
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? `failed: ${error.message}` : error);
    process.exit(1);
  },
);
