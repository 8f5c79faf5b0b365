import { createDecipheriv, createHmac, type ECDH } from 'node:crypto';

const SALT_BYTES = 16;
const KEY_ID_AT = 21;
const TAG_BYTES = 16;
const LAST_RECORD = 2;

export interface Subscriber {
  readonly keys: ECDH;
  readonly auth: Buffer;
}

const hmac = (key: Buffer, ...data: readonly (Buffer | string)[]) => {
  const hash = createHmac('sha256', key);
  for (const part of data) hash.update(part);
  return hash.digest();
};

/** HKDF with one block. */
const derive = (key: Buffer, info: readonly (Buffer | string)[], length: number) =>
  hmac(key, ...info, Buffer.from([1])).subarray(0, length);

/**
 * Decrypts a message as a browser does (RFC 8291, with the content coding of RFC 8188).
 * @throws if anything is wrong
 */
export function decryptPush(body: Buffer, { keys, auth }: Subscriber): string {
  const salt = body.subarray(0, SALT_BYTES);
  const recordSize = body.readUInt32BE(SALT_BYTES);
  const keyLength = body.readUInt8(KEY_ID_AT - 1);
  const sender = body.subarray(KEY_ID_AT, KEY_ID_AT + keyLength);
  const record = body.subarray(KEY_ID_AT + keyLength);
  if (record.length > recordSize) throw new Error('A push message has one record');
  const keyInfo = ['WebPush: info\0', keys.getPublicKey(), sender];
  const secret = derive(hmac(auth, keys.computeSecret(sender)), keyInfo, 32);
  const pseudoRandomKey = hmac(salt, secret);
  const key = derive(pseudoRandomKey, ['Content-Encoding: aes128gcm\0'], 16);
  const nonce = derive(pseudoRandomKey, ['Content-Encoding: nonce\0'], 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD) throw new Error('The padding is wrong');
  return padded.subarray(0, end).toString('utf8');
}
