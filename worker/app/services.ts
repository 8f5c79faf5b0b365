import { systemClock } from '../adapters/system-clock.ts';
import { createLogModule } from '../modules/log/log.module.ts';
import { createMarketModule } from '../modules/market/market.module.ts';
import { createLive } from '../modules/messages/live.module.ts';
import { createMessagesModule } from '../modules/messages/messages.module.ts';
import { createMoneyModule } from '../modules/money/money.module.ts';
import { createPeopleChecks, createPeopleModule } from '../modules/people/people.module.ts';
import { createPublicModule } from '../modules/public/public.module.ts';
import { createBackupWriters, createRunningModule } from '../modules/running/running.module.ts';
import type { Clock } from '../ports/clock.ts';
import type { UserOutcomes } from '../ports/outages.ts';
import type { RenderPage } from '../ports/page-renderer.ts';
import { secureRandom } from '../shared/ids.ts';
import { createBase } from './base.ts';
import { createCookies } from './cookies.ts';
import type { Bindings } from './env.ts';

export type Services = ReturnType<typeof createServices>;

const cache = new WeakMap<Bindings, Services>();

/** Cached per isolate, because `env` is the same object for every request and cron run. */
export function servicesOf(env: Bindings): Services {
  const services = cache.get(env) ?? createServices(env);
  cache.set(env, services);
  return services;
}

export interface ServicesOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly renderPage?: RenderPage;
}

/** Loads the renderer for the first page, so that it doesn't delay the worker's start. */
const renderOnDemand: RenderPage = async (request) => (await import('#page-renderer')).renderPage(request);

/**
 * Creates every service and connects the neighbourhoods. If two depend on each other, the first gets functions that
 * call the second later.
 */
export function createServices(
  env: Bindings,
  { clock = systemClock, random = secureRandom, renderPage = renderOnDemand }: ServicesOptions = {},
) {
  const base = createBase(env, {
    clock,
    random,
    notifyOperators: (text) => messages.push.notify([...base.vars.OPERATOR_X_IDS], text),
  });
  const live = createLive(base, async ({ callerId, callId }) => {
    const [call, caller] = await Promise.all([
      market.callDetails.find(callId),
      market.callers.publicProfile(callerId).catch(() => null),
    ]);
    return call && { call, caller };
  });
  const copies = createBackupWriters(base);
  const { callerGuard, terms } = createPeopleChecks(base);
  const money = createMoneyModule(base, {
    backups: copies.paymentBackups,
    // People who have paid get into the caller's chats within seconds.
    live: {
      ...live,
      peopleChanged(change) {
        live.peopleChanged(change);
        if (change.topic === 'payments') change.userIds.forEach((id) => messages.chatAccess.checkSoon(id));
      },
    },
    terms,
  });
  const writer = { writeSoon: () => messages.messagesWriter.writeSoon() };
  const people = createPeopleModule(base, {
    calls: { endAllOf: (callerId) => market.automaticEnds.endAllOf(callerId) },
    deletions: copies.deletions,
    live,
    messages: writer,
    payments: money.payments,
    checkChats: (callerId) => messages.chatChecks.checkAllOf(callerId),
    revokeXTokens: (tokens) => site.shares.revokeTokens(tokens),
    subscriptions: money.subscriptions,
    terms,
  });
  const market = createMarketModule(base, {
    callerGuard,
    messages: writer,
    pauses: money.pauses,
    subscriptions: money.subscriptions,
    wallets: money.wallets,
  });
  const { pauses, subscriptions } = money;
  const outages: UserOutcomes = { note: (...outcome) => running.outages.note(...outcome) };
  const common = { ...market, callerGuard, live, outages, pauses, subscriptions };
  const site = createPublicModule(base, {
    ...common,
    renderPage,
    lastKnownOutages: () => running.outages.lastKnown(),
  });
  const messages = createMessagesModule(base, { ...common, images: site.shareImages });
  const running = createRunningModule(base, {
    ...money,
    ...people,
    ...messages,
    callDetails: market.callDetails,
    priceSources: market.priceSources,
    deletion: people.accountDeletion,
  });
  return {
    ...createLogModule(base),
    ...people,
    terms,
    ...money,
    ...market,
    ...messages,
    ...site,
    ...running,
    clock,
    random,
    cookies: createCookies({ appOrigin: base.vars.APP_ORIGIN }),
    live,
  };
}
