/* Bundlers import `.bin` files as bytes (wrangler's rule `Data`). */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
