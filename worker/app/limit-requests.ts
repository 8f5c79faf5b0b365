import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import type { Bindings } from './env.ts';
import { createTooManyRequestsError } from './errors.ts';
import { networkOfVisitor } from './network-of.ts';
import { metadataOf } from './route.ts';
import type { RateLimitName, RouteMetadata } from './route-facts.ts';
import { routeOf } from './route-of.ts';
import { findViewer } from './session.ts';
import { TELEGRAM_SECRET_HEADER } from './telegram-secret.ts';

const TELEGRAM_WEBHOOK = 'POST /api/telegram/webhook';

const bindings: Readonly<Record<RateLimitName, (env: Bindings) => RateLimit>> = {
  images: (env) => env.LIMIT_IMAGES,
  reads: (env) => env.LIMIT_READS,
  writes: (env) => env.LIMIT_WRITES,
  costly: (env) => env.LIMIT_COSTLY,
};

/** Telegram sends the updates of all chats from few addresses, so its webhook counts per chat instead. */
const isFromTelegram = (c: Context<AppEnv>, route: string): Promise<boolean> | false =>
  route === TELEGRAM_WEBHOOK &&
  c.var.services.telegramLinks.isFromTelegram(c.req.header(TELEGRAM_SECRET_HEADER));

interface RouteLimit {
  /** Requests with the same name share one limit. */
  readonly name: string;
  readonly limit: RateLimitName;
  /** False: all requests of one network address share the limit, signed in or not. */
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

/** Limits requests per network address, and per route and person. Signed-out visitors count by their address. */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const route = routeOf(c);
  if (await isFromTelegram(c, route)) return next();
  const address = networkOfVisitor(c);
  await spend(c.env.LIMIT_VISITOR, address);
  const { name, limit, isPerPerson } = limitOf(route, metadataOf(c));
  const person = isPerPerson ? await findViewer(c) : null;
  await spend(bindings[limit](c.env), `${name} ${person ?? address}`);
  return next();
});

/** Counts a Telegram update for its chat. Returns false if the chat has sent too many. */
export async function takeTelegramUpdate(c: Context<AppEnv>, chatId: number): Promise<boolean> {
  return (await bindings.writes(c.env).limit({ key: `${TELEGRAM_WEBHOOK} ${chatId}` })).success;
}

async function spend(limiter: RateLimit, key: string): Promise<void> {
  const { success } = await limiter.limit({ key });
  if (!success) throw createTooManyRequestsError();
}
