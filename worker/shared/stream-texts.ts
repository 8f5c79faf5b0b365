import { AsyncLocalStorage } from 'node:async_hooks';

/** Streams texts. Takes the next text only when the reader is ready for it. An error aborts the stream. */
export function streamTexts(texts: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // The reader pulls outside the request's async context, which decides whether to read from a replica.
  const inContext = AsyncLocalStorage.snapshot();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await inContext(() => texts.next());
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
