/** What was asked, waited for no longer than that. It goes on by itself: whoever comes too late is not heard. @throws when the time is over, or what was asked throws. */
export async function inTime<Answer>({
  asked,
  timeoutMs,
}: {
  asked: Promise<Answer>;
  timeoutMs: number;
}): Promise<Answer> {
  const { promise: isOver, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([asked, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
