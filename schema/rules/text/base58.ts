import bs58 from 'bs58';
import { ADDRESS_MAX_LENGTH } from '#schema/constants/prices.ts';

const SIGNATURE_BYTES = 64;
const SIGNATURE_MAX_LENGTH = 88;
const PUBLIC_KEY_BYTES = 32;

export function isSignature(text: string): boolean {
  return decode(text, SIGNATURE_MAX_LENGTH)?.length === SIGNATURE_BYTES;
}

export function isPublicKey(text: string): boolean {
  return decode(text, ADDRESS_MAX_LENGTH)?.length === PUBLIC_KEY_BYTES;
}

/** Decoding takes quadratic time, so long texts aren't decoded. */
function decode(text: string, maxLength: number): Uint8Array | undefined {
  return text.length > maxLength ? undefined : bs58.decodeUnsafe(text);
}
