/** Waits for `promise` for at most `timeoutMs`. Doesn't cancel the work behind it. @throws `late` after the timeout */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  late = new Error(`No response within ${timeoutMs} ms`),
): Promise<Value> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late), timeoutMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
