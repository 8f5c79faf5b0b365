import bs58 from 'bs58';

export type ByteReader = ReturnType<typeof createByteReader>;

/** Reads little-endian fields in sequence. Throws a RangeError past the end. */
export function createByteReader(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const advance = (length: number) => {
    const from = offset;
    if (from + length > bytes.length) throw new RangeError('read past the end');
    offset += length;
    return from;
  };
  const u64 = () => view.getBigUint64(advance(8), true);
  return {
    u8: () => view.getUint8(advance(1)),
    u32: () => view.getUint32(advance(4), true),
    u64,
    key: () => bs58.encode(bytes.subarray(advance(32), offset)),
    /** A bincode string: u64 length, then UTF-8. */
    text: () =>
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(advance(Number(u64())), offset)),
  };
}
