import { PublicKey, type AccountInfo } from '@solana/web3.js';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { MintScale } from '#schema/rules/prices/units.ts';
import { isPublicKey } from '#schema/rules/text/base58.ts';
import { splitBatches } from '../shared/batches.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../shared/concurrency.ts';
import type { EndpointPool } from './solana-endpoint-pool.ts';
import { TOKEN_PROGRAMS } from './solana-movements.ts';

/** This timeout is short, because price quotes wait for the mint. */
const TIMEOUT_MS = 2 * SECOND_MS;
const MAX_ACCOUNTS = 100;
/** A third of the connections, because the price sources are requested at the same time. */
const CONCURRENT_READS = MAX_CONNECTIONS / 3;
/** The layout of Token-2022: a padded account, its type, then extensions, each with a type and a length (u16). */
const ACCOUNT_TYPE_OFFSET = 165;
const MINT_TYPE = 1;
const SCALED_UI_AMOUNT = 25;

export function createMintReads(
  { sendRequest }: EndpointPool,
  /** Providers limit lists of accounts like lists of signatures. */
  { signaturesPerRequest }: { readonly signaturesPerRequest: number },
) {
  const readScales = async (addresses: readonly string[]) => {
    const keys = addresses.map((address) => new PublicKey(address));
    const accounts = await sendRequest(
      ({ connection }) => connection.getMultipleAccountsInfo(keys, 'confirmed'),
      { timeoutMs: TIMEOUT_MS },
    );
    return addresses.map((address, index) => [address, readScale(accounts[index] ?? null)] as const);
  };
  return {
    /** How mints are scaled: null if not at all, undefined for a mint that doesn't exist or can't be read. */
    async mintScales(mints: readonly string[]): Promise<ReadonlyMap<string, MintScale | null | undefined>> {
      const batches = splitBatches(mints.filter(isPublicKey), Math.min(signaturesPerRequest, MAX_ACCOUNTS));
      return new Map((await mapConcurrently(batches, readScales, CONCURRENT_READS)).flat());
    },
  };
}

/** Returns null if the mint isn't scaled, and undefined for an account that isn't a readable mint. */
function readScale(account: AccountInfo<Uint8Array> | null): MintScale | null | undefined {
  if (!account || !TOKEN_PROGRAMS.some((program) => program.equals(account.owner))) return undefined;
  const { data } = account;
  if (data.length <= ACCOUNT_TYPE_OFFSET) return null;
  if (data[ACCOUNT_TYPE_OFFSET] !== MINT_TYPE) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let offset = ACCOUNT_TYPE_OFFSET + 1;
  while (offset + 4 <= data.length) {
    const start = offset + 4;
    const end = start + view.getUint16(offset + 2, true);
    if (end > data.length) return undefined;
    if (view.getUint16(offset, true) === SCALED_UI_AMOUNT) return readExtension(view, start);
    offset = end;
  }
  return null;
}

/** The extension is an authority (32 bytes), the multiplier (f64), the new one's time in seconds (i64) and the new one (f64). */
function readExtension(view: DataView, start: number): MintScale | undefined {
  const multiplier = view.getFloat64(start + 32, true);
  const newMultiplierAt = Number(view.getBigInt64(start + 40, true)) * SECOND_MS;
  const newMultiplier = view.getFloat64(start + 48, true);
  const isValid = [multiplier, newMultiplier].every((each) => each > 0 && Number.isFinite(each));
  return isValid ? { multiplier, newMultiplier, newMultiplierAt } : undefined;
}
