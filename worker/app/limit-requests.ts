import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { hashToken } from '../shared/secrets.ts';
import type { AppEnv } from './context.ts';
import type { Bindings } from './env.ts';
import { createTooManyRequestsError } from './errors.ts';
import { networkOfVisitor, wideNetworkOf } from './network-of.ts';
import { metadataOf } from './route.ts';
import type { RateLimitName, RouteMetadata } from './route-facts.ts';
import { routeOf } from './route-of.ts';
import { findViewer, readOwnToken } from './session.ts';
import { TELEGRAM_SECRET_HEADER } from './telegram-secret.ts';

const TELEGRAM_WEBHOOK = 'POST /api/telegram/webhook';

const bindings: Readonly<Record<RateLimitName, (env: Bindings) => RateLimit>> = {
  cheap: (env) => env.LIMIT_CHEAP,
  reads: (env) => env.LIMIT_READS,
  writes: (env) => env.LIMIT_WRITES,
  costly: (env) => env.LIMIT_COSTLY,
};

/** Telegram sends the updates of all chats from few addresses, so its webhook counts per chat instead. */
const isFromTelegram = (c: Context<AppEnv>, route: string): boolean =>
  route === TELEGRAM_WEBHOOK &&
  c.var.services.telegramLinks.isFromTelegram(c.req.header(TELEGRAM_SECRET_HEADER));

interface RouteLimit {
  readonly name: string;
  readonly limit: RateLimitName;
  /** False: requests count for their network address. Over its limit, a signed-in person's requests count for the person. */
  readonly isPerPerson: boolean;
}

/**
 * Unknown URLs and the operators' routes share one limit, so that it doesn't reveal which of them exist. Routes that
 * read no session count by network address, because shared caches serve most of their requests.
 */
export function limitOf(route: string, facts: RouteMetadata | undefined): RouteLimit {
  if (facts === undefined || facts.limit === 'unknown') {
    return { name: 'unknown', limit: 'reads', isPerPerson: false };
  }
  const isPerPerson = facts.session === 'required' || facts.session === 'optional';
  return { name: route, limit: facts.limit, isPerPerson };
}

/**
 * The limits over all routes don't count the first requests of a minute in each isolate, a second's share, because
 * counting costs more than the rest of the middleware.
 */
export const UNCOUNTED = { address: RATE_LIMITS.address / 60, visitor: RATE_LIMITS.visitor / 60 };

/**
 * Limits requests per network address, and per person on all routes and on each. Signed-out visitors count by their
 * address. If the visitors of a shared address or network use up its limit, signed-in people behind it have limits of
 * their own, and together once more that of the network: tokens that have ended cost a query, too.
 */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  if (isFromTelegram(c, route)) return next();
  const { name, limit, isPerPerson } = limitOf(route, metadataOf(c));
  const { LIMIT_ADDRESS, LIMIT_VISITOR } = c.env;
  const address = networkOfVisitor(c);
  const wideNetwork = wideNetworkOf(address);
  const now = c.var.services.clock.now();
  const isNetworkWithin =
    countHere(`wide ${wideNetwork}`, now) <= UNCOUNTED.address || (await take(LIMIT_ADDRESS, wideNetwork));
  const isSignedInWithin = async () =>
    (await readOwnToken(c, c.var.services)) !== null && take(LIMIT_ADDRESS, `signed in ${wideNetwork}`);
  if (!isNetworkWithin && !(await isSignedInWithin())) throw createTooManyRequestsError();
  const isUncounted = isNetworkWithin && countHere(address, now) <= UNCOUNTED.visitor;
  const ofAll = {
    limiter: LIMIT_VISITOR,
    name: 'all',
    address: isNetworkWithin ? address : null,
    isPerPerson: false,
  };
  const isWithin =
    (isUncounted || (await takeForVisitor(c, ofAll))) &&
    (await takeForVisitor(c, { limiter: bindings[limit](c.env), name, address, isPerPerson }));
  if (!isWithin) throw createTooManyRequestsError();
  const isOfPerson = isPerPerson || c.req.header('Authorization') !== undefined;
  const visitor = (isOfPerson ? await findViewer(c) : null) ?? address;
  // Cloudflare doesn't tell how many requests are left, so this counts those of this isolate: there may be fewer left.
  const remaining = Math.max(0, RATE_LIMITS[limit] - countHere(`${name} ${visitor}`, now));
  c.set('quota', { remaining, resetSeconds: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS) });
  return next();
});

let countedMinute = 0;
const counts = new Map<string, number>();

function countHere(key: string, now: number): number {
  const minute = Math.floor(now / MINUTE_MS);
  if (minute !== countedMinute) counts.clear();
  countedMinute = minute;
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

interface VisitorLimit extends Pick<RouteLimit, 'name' | 'isPerPerson'> {
  readonly limiter: RateLimit;
  /** Null: only requests of a signed-in person are let through. */
  readonly address: string | null;
}

async function takeForVisitor(c: Context<AppEnv>, { limiter, name, address, isPerPerson }: VisitorLimit) {
  if (!isPerPerson && address !== null && (await take(limiter, `${name} ${address}`))) return true;
  // The person is counted below. This count only spares the database the requests of a session over its limit.
  const token = await readOwnToken(c, c.var.services);
  if (token !== null && !(await take(limiter, `${name} ${hashToken(token)}`))) return false;
  const viewerId = await findViewer(c);
  if (viewerId === null && !isPerPerson) return false;
  return take(limiter, `${name} ${viewerId ?? address}`);
}

const take = async (limiter: RateLimit, key: string): Promise<boolean> =>
  (await limiter.limit({ key })).success;
