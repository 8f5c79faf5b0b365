import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { XRefusal } from '../ports/identity.ts';

const X_RATE_LIMIT_MS = 15 * MINUTE_MS;
const HTTP_PAYMENT_REQUIRED = 402;
export const HTTP_TOO_MANY = 429;
/** Reported, not documented. */
const DAILY_LIMITS = ['x-user-limit-24hour', 'x-app-limit-24hour'];
/** Our credits (usually 402) or our spending limit (403). X documents neither; reports name three types. */
const MONEY_PROBLEM = /\/problems\/(credits|spend-cap)/;

/** Older errors, such as that of a locked account (326), have only `errors`. */
const problemSchema = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Reads why X refused a request (4xx except 401). */
export async function readXRefusal(response: Response, clock: Clock): Promise<XRefusal> {
  const { status } = response;
  if (status === HTTP_TOO_MANY) return refuseForNow(secondsUntilReset(response, clock));
  const { data: problem } = problemSchema.safeParse(await response.json().catch(() => null));
  if (status === HTTP_PAYMENT_REQUIRED || MONEY_PROBLEM.test(problem?.type ?? '')) {
    return { outcome: 'app_refused', reason: 'x.credits_depleted' };
  }
  const reasons = [problem?.errors?.[0]?.message, problem?.detail, problem?.title];
  const detail = reasons.find((reason) => reason !== undefined && reason !== '') ?? `X answered ${status}.`;
  return { outcome: 'rejected', detail };
}

/** Without a known time, it's the length of X's usual window. */
export function refuseForNow(retryAfterSeconds = X_RATE_LIMIT_MS / SECOND_MS): XRefusal {
  return { outcome: 'rate_limited', retryAfterSeconds };
}

function secondsUntilReset({ headers }: Response, clock: Clock): number | undefined {
  const window = DAILY_LIMITS.find((limit) => headers.get(`${limit}-remaining`) === '0') ?? 'x-rate-limit';
  const reset = Number(headers.get(`${window}-reset`) ?? Number.NaN);
  if (!Number.isInteger(reset)) return undefined;
  return Math.max(1, reset - Math.floor(clock.now() / SECOND_MS));
}
