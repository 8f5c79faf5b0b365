/* What workerd has of Node's zlib and the worker uses; Node's own types would bring Node's globals along. */
declare module 'node:zlib' {
  export function crc32(data: Uint8Array): number;
  /** Throws for what is no zlib stream, is cut off, or comes to more than `maxOutputLength` bytes. `engine.bytesWritten` is how much of `data` was the stream. */
  export function inflateSync(
    data: Uint8Array,
    options: { maxOutputLength: number; info: true },
  ): { buffer: Uint8Array; engine: { bytesWritten: number } };
}
