import bs58 from 'bs58';

/** Reads little-endian fields in sequence. Throws a RangeError past the end. */
export interface ByteReader {
  u8(): number;
  u32(): number;
  u64(): bigint;
  key(): string;
  /** A bincode string: u64 length, then UTF-8. */
  text(): string;
  skip(length: number): void;
  remaining(): number;
}

export function createByteReader(bytes: Uint8Array, start = 0): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = start;
  const advance = (length: number) => {
    const from = offset;
    if (from + length > bytes.length) throw new RangeError('read past the end');
    offset += length;
    return from;
  };
  const take = (length: number) => {
    const from = advance(length);
    return bytes.subarray(from, from + length);
  };
  const u64 = () => view.getBigUint64(advance(8), true);
  return {
    u8: () => view.getUint8(advance(1)),
    u32: () => view.getUint32(advance(4), true),
    u64,
    key: () => bs58.encode(take(32)),
    text: () => new TextDecoder('utf-8', { fatal: true }).decode(take(Number(u64()))),
    skip: (length) => void advance(length),
    remaining: () => bytes.length - offset,
  };
}
