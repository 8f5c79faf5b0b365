/* The parts of workerd's node:zlib in use. @types/node would add Node's globals, which workerd lacks. */
declare module 'node:zlib' {
  export function crc32(data: Uint8Array): number;
  /**
   * `engine.bytesWritten` is the length of the stream within `data`.
   * @throws for a broken or cut stream, or if it inflates to more than `maxOutputLength` bytes.
   */
  export function inflateSync(
    data: Uint8Array,
    options: { maxOutputLength: number; info: true },
  ): { engine: { bytesWritten: number } };
}
