/** An endless body that counts its chunks and records its cancellation. */
export function endless(chunk: Uint8Array) {
  const state = { chunks: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.chunks += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        state.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, state };
}
