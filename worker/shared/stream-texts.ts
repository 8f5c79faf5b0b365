import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Makes a stream of texts. Takes the next text only when the reader is ready for it. A failure aborts the
 * stream.
 */
export function streamTexts(texts: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // The reader pulls outside the request's context, which says whether to read from a replica.
  const inContext = AsyncLocalStorage.snapshot();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await inContext(() => texts.next());
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
