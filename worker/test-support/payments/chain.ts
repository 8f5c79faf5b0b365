import { Keypair } from '@solana/web3.js';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { control, testEnv, type TestApp } from '../test-app.ts';

export const LAMPORTS = 1_000_000_000;
export const SIGNATURE_FEE = 5_000n;

/** A JSON-RPC call to the local cluster. @throws the cluster's error */
export async function rpc<Result>(method: string, ...params: unknown[]): Promise<Result> {
  const response = await fetch(testEnv.SOLANA_RPC_URL, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = await response.json<{ result: Result; error?: { message: string } }>();
  if (body.error) throw new Error(`${method}: ${body.error.message}`);
  return body.result;
}

export interface LandedStatus {
  readonly slot: number;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
  readonly err: unknown;
}

/** The longest list of signatures that the local cluster accepts, as on a provider's free plan. */
const STATUSES_PER_REQUEST = 5;

/** The statuses in the order of the signatures; null for those that aren't on the chain. */
export async function readStatuses(signatures: readonly string[]): Promise<(LandedStatus | null)[]> {
  const statuses: (LandedStatus | null)[] = [];
  for (let from = 0; from < signatures.length; from += STATUSES_PER_REQUEST) {
    const { value } = await rpc<{ value: (LandedStatus | null)[] }>(
      'getSignatureStatuses',
      signatures.slice(from, from + STATUSES_PER_REQUEST),
      { searchTransactionHistory: true },
    );
    statuses.push(...value);
  }
  return statuses;
}

/** Creates a wallet with this much SOL. With 0 SOL, it has no account on the chain. */
export async function createFundedWallet(sol = 10): Promise<Keypair> {
  const keypair = Keypair.generate();
  if (sol > 0) await rpc('requestAirdrop', keypair.publicKey.toBase58(), Math.round(sol * LAMPORTS));
  return keypair;
}

/** The balance in lamports, at the newest slot. */
export async function balanceOf(address: string): Promise<bigint> {
  const { value } = await rpc<{ value: number }>('getBalance', address, { commitment: 'processed' });
  return BigInt(value);
}

/** Signs a text or bytes with a wallet. Returns the signature in base64. */
export async function signMessage(keypair: Keypair, message: string | Uint8Array): Promise<string> {
  const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : new Uint8Array(message);
  const base64Url = (bytes: Uint8Array) =>
    toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: base64Url(keypair.secretKey.slice(0, 32)),
    x: base64Url(keypair.publicKey.toBytes()),
  };
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['sign']);
  return toBase64(new Uint8Array(await crypto.subtle.sign('Ed25519', key, bytes)));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Changes the length of the local chain's slots, and waits until the cluster's samples have it. */
export async function setSlotMs(app: TestApp, slotMs: number): Promise<void> {
  await control('POST', '/solana/slot-ms', { slotMs });
  await app.advance(6 * MINUTE_MS);
}
