import type { Page, Route } from '@playwright/test';
import { DIRECTORY_PAGE_SIZE } from '#schema/constants/market.ts';
import { DELIVERY_LOG_PAGE_SIZE } from '#schema/constants/messages.ts';
import { PAYMENTS_PAGE_SIZE } from '#schema/constants/money.ts';
import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';
import { FIRST_ROWS } from '#schema/constants/public.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import type { TelegramChats } from '#schema/contracts/telegram-chats.ts';
import type { Webhook } from '#schema/contracts/webhooks.ts';
import type { PushSettings } from '#schema/contracts/push.ts';
import {
  allOf,
  inParts,
  responded,
  onlyStubbed,
  reads,
  refused,
  type PageStep,
  withoutContent,
} from './responses.ts';
import { expect, test } from './fixtures.ts';
import {
  hardBios,
  hardNames,
  makeCall,
  makeDelivery,
  makeListedCaller,
  makeNotificationSettings,
  makeProfile,
  makeWays,
  makeStatistics,
  makeSubscriber,
  makeSubscription,
  makeUser,
  NO_RESULTS,
} from './hard-samples.ts';
import { expectEverythingFits } from './layout.ts';
import { e2eSettings } from './settings.ts';

const widths = [320, 390, 768, 1440];
/** More rows than a page of any list has. */
const MANY = 1_000;
/** The numbers of rows whose texts must fit. The web tests show empty lists, too. */
const COUNTS = [0, 1, hardNames.length];
const address = {
  prices: /\/api\/prices\?/,
  solPrice: /\/api\/prices\/sol$/,
  pageView: /\/api\/events\/page-view$/,
  history: /\/api\/token-calls\/caller\/[^/]+\/history$/,
  active: /\/api\/token-calls\/caller\/[^/]+\/active$/,
  followed: /\/api\/subscriptions\/calls$/,
  mine: /\/api\/subscriptions\/my$/,
};
const many = <Item>(make: (number: number) => Item, count: number) =>
  Array.from({ length: count }, (_, number) => make(number));
const ended = (count: number) => many((number) => makeCall({ number, isActive: false }), count);
const active = (count: number) => many((number) => makeCall({ number, isActive: true }), count);

/** Responds to requests to an address with these rows, one page at a time. */
function paged(rows: {
  readonly address: RegExp;
  readonly all: readonly unknown[];
  readonly size: number;
}): PageStep {
  const { address: pagedAddress, all, size } = rows;
  const respondWithPage = (route: Route) => {
    const url = new URL(route.request().url());
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const end = start + size;
    const headers = end < all.length ? { Link: `<${url.pathname}?cursor=${end}>; rel="next"` } : {};
    return route.fulfill({ json: all.slice(start, end), headers });
  };
  return async (page) => {
    await withoutContent(page);
    await page.route(pagedAddress, respondWithPage);
  };
}

const listed = (count: number) =>
  paged({ address: reads.callers, all: many(makeListedCaller, count), size: DIRECTORY_PAGE_SIZE });
const delivered = (count: number) =>
  paged({ address: reads.deliveries, all: many(makeDelivery, count), size: DELIVERY_LOG_PAGE_SIZE });

const paying = (count: number) =>
  paged({ address: reads.subscribers, all: many(makeSubscriber, count), size: PAYMENTS_PAGE_SIZE });

/**
 * The made-up viewer has no session, so the product would refuse a connection. This WebSocket never opens. The cookie makes
 * the page ask who is signed in.
 */
const unconnected: PageStep = async (page) => {
  await page.context().addCookies([{ name: SIGNED_IN_COOKIE, value: '1', url: e2eSettings.productUrl }]);
  await page.addInitScript(() => {
    class Unconnected extends EventTarget {
      static readonly OPEN = 1;
      readonly readyState = 0;
      close(): void {}
    }
    Object.assign(window, { WebSocket: Unconnected });
  });
};

/** Stubs the requests that every page sends, for a signed-out viewer. */
const everyPage = allOf(
  onlyStubbed,
  inParts,
  refused('auth.required', 'Please sign in.', reads.user),
  responded({}, address.prices, address.pageView),
  responded({ sol: null } satisfies SolPrice, address.solPrice),
);
const withoutDevices = allOf(
  responded({ publicKey: '', endpoint: null } satisfies PushSettings, reads.push),
  responded({ url: null, deliveries: [] } satisfies Webhook, reads.webhook),
  responded({ chats: [], addUrls: { channel: '', group: '' } } satisfies TelegramChats, reads.telegramChats),
);
/** Without this cookie, the app doesn't ask who is signed in. */
const flagged: PageStep = (page) =>
  page.context().addCookies([{ name: SIGNED_IN_COOKIE, value: '1', url: e2eSettings.productUrl }]);
const asCaller = allOf(
  flagged,
  unconnected,
  responded(makeUser({ isCaller: true }), reads.user),
  responded([], reads.wallets, reads.payoutChanges, reads.mySubscriptions, reads.deliveries),
  responded(makeWays(), reads.ways),
  withoutDevices,
  responded(makeProfile({ number: 0, bio: '', isOwner: true, canSeeActiveCalls: true }), reads.caller),
);
const asFollower = allOf(
  flagged,
  unconnected,
  responded(makeUser({ isCaller: false }), reads.user),
  responded(makeNotificationSettings(hardNames.length), reads.notifications),
  responded(makeWays(), reads.ways),
  withoutDevices,
);
const seenProfile = allOf(
  responded(
    makeProfile({ number: 0, bio: hardBios.sentences, isOwner: false, canSeeActiveCalls: true }),
    reads.caller,
  ),
  responded(makeStatistics({ canSeeActiveCalls: true }), reads.statistics),
  responded([], reads.joinLinks),
  responded(NO_RESULTS, reads.results),
);

interface List {
  readonly name: string;
  /** Selects one row: a list item, or a row in a table's body. */
  readonly row: string;
  readonly empty: string;
  /** The number of rows that the list shows at first if there are `MANY`. */
  readonly shownOfMany: number;
}

interface ListPage {
  readonly name: string;
  readonly path: string;
  /** Makes each list of the page have this many rows. */
  readonly steer: (count: number) => PageStep;
  readonly lists: readonly List[];
}

const labelled = (label: string, empty: string, shownOfMany: number = MANY): List => ({
  name: label,
  row: `[aria-label="${label}"] :is(li, [role=listitem], tbody > tr)`,
  empty,
  shownOfMany,
});
const directory = (row: string): List => ({
  name: 'Callers',
  row,
  empty: 'No Callers Found',
  shownOfMany: DIRECTORY_PAGE_SIZE,
});
const activeAndEnded = (count: number) =>
  allOf(responded(active(count), address.active), responded(ended(count), address.history));
const callLists = (shownOfMany: number) => [
  labelled('Active Calls', 'No active calls at the moment', shownOfMany),
  labelled('Call History', 'No call history available', shownOfMany),
];

const listPages: readonly ListPage[] = [
  { name: 'the directory’s cards', path: '/', steer: listed, lists: [directory('main [role=listitem]')] },
  {
    name: 'the directory’s table',
    path: '/?view=table',
    steer: listed,
    // The heading above callers who aren't proven yet has no link.
    lists: [directory('main tbody > tr:has(a)')],
  },
  {
    name: 'Recent Calls',
    path: '/recent-calls',
    steer: (count) => responded(ended(count), reads.endedCalls),
    lists: [
      {
        name: 'Recent Calls',
        row: 'main tbody > tr',
        empty: 'No recent calls available',
        shownOfMany: MANY,
      },
    ],
  },
  {
    name: 'a profile',
    path: '/caller/amara_calls',
    steer: (count) => allOf(seenProfile, activeAndEnded(count)),
    lists: callLists(FIRST_ROWS.history),
  },
  {
    name: 'a caller’s dashboard',
    path: '/dashboard',
    steer: (count) => allOf(asCaller, activeAndEnded(count), paying(count)),
    lists: [
      ...callLists(MANY),
      {
        name: 'Subscribers',
        row: 'table[aria-label="Subscribers"] tbody tr',
        empty: 'No subscribers yet',
        shownOfMany: PAYMENTS_PAGE_SIZE,
      },
    ],
  },
  {
    name: 'a caller’s settings',
    path: '/settings/notifications',
    steer: (count) => allOf(asCaller, delivered(count)),
    lists: [labelled('Telegram Delivery', 'Nothing sent yet', DELIVERY_LOG_PAGE_SIZE)],
  },
  {
    name: 'a follower’s dashboard',
    path: '/dashboard',
    steer: (count) =>
      allOf(
        asFollower,
        responded([...active(Math.min(count, hardNames.length)), ...ended(count)], address.followed),
        responded(many(makeSubscription, count), address.mine),
      ),
    lists: [
      labelled('Ended Calls', 'No ended calls yet'),
      labelled('Your Subscriptions', 'No subscriptions yet'),
    ],
  },
];

async function open(page: Page, { path, steer }: { path: string; steer: PageStep }): Promise<void> {
  // The previous page must not send requests while its stubs are replaced.
  await page.goto('about:blank');
  await page.unrouteAll();
  await allOf(everyPage, steer)(page);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  const showAll = page.getByRole('button', { name: /^Show all \d+$/ });
  if (path === '/dashboard' && (await showAll.isVisible())) await showAll.click();
}

async function expectItFits(page: Page, place: string, at: readonly number[] = widths): Promise<void> {
  for (const width of at) {
    await page.setViewportSize({ width, height: 900 });
    await expectEverythingFits(page, `${place} at ${width}`);
  }
}

async function expectAllRows(page: Page, { name, row, shownOfMany }: List): Promise<void> {
  const rows = page.locator(row);
  await expect(rows, name).toHaveCount(shownOfMany);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows.last()).toBeInViewport();
}

test.use({ refusedOnPurpose: /\/x\/pictures\/missing_/ });

for (const { name, path, steer, lists } of listPages) {
  test(`${name}: no text is cut off, and the last of many rows can be scrolled to`, async ({ page }) => {
    for (const count of [...COUNTS, MANY]) {
      await open(page, { path, steer: steer(count) });
      for (const list of lists) {
        if (count === 0) await expect(page.getByText(list.empty)).toBeVisible();
        if (count === MANY) await expectAllRows(page, list);
        else await expect(page.locator(list.row), list.name).toHaveCount(count);
      }
      if (!COUNTS.includes(count)) continue;
      await expectItFits(page, `${name}, ${count}`, count > 1 ? widths : [320, 1440]);
    }
  });
}

test('the directory shows more callers on request, and Back returns to the same place in the list', async ({
  page,
}) => {
  // `seenProfile` is needed because the app preloads the profile of the caller under the pointer.
  await open(page, { path: '/', steer: allOf(listed(MANY), seenProfile, activeAndEnded(1)) });
  const more = page.getByRole('button', { name: 'Show more callers' });
  await more.click();
  const all = { ...directory('main [role=listitem]'), shownOfMany: 2 * DIRECTORY_PAGE_SIZE };
  await expectAllRows(page, all);
  const last = page.locator(all.row).last();
  await last.getByRole('link').click();
  await expect(page).toHaveURL(/\/caller\//);
  await page.goBack();
  await expect(last).toBeInViewport();
});

test('the Telegram card has no cut-off text with long names', async ({ page }) => {
  await open(page, { path: '/settings/notifications', steer: asFollower });
  await page.getByText('Notifications:').click();
  await page.getByText('Muted callers:').click();
  await expect(page.getByRole('button', { name: /^Unmute / })).toHaveCount(hardNames.length);
  await expectItFits(page, 'Telegram card');
});

test('profiles have no cut-off text with long names and bios', async ({ page }) => {
  for (const number of hardNames.keys()) {
    const [kind, bio] = Object.entries(hardBios)[number % Object.keys(hardBios).length] ?? ['', ''];
    const isOwner = number % 2 === 1;
    const profile = makeProfile({ number, bio, isOwner, canSeeActiveCalls: isOwner });
    const steer = allOf(
      responded(profile, reads.caller),
      responded(makeStatistics({ canSeeActiveCalls: isOwner }), reads.statistics),
      responded([], reads.callsOfCaller),
      responded(NO_RESULTS, reads.results),
    );
    await open(page, { path: '/caller/amara_calls', steer });
    const more = page.getByRole('button', { name: 'more', exact: true });
    if (await more.isVisible()) await more.click();
    await expect(page.getByText(bio.trim(), { exact: true })).toBeVisible();
    await expectItFits(page, `profile ${number} with ${kind}`);
    if (isOwner) {
      await page.getByRole('button', { name: 'Edit bio' }).click();
      await expect(page.getByText(`${bio.trim().length}/500 characters`)).toBeVisible();
      await expectItFits(page, `bio dialog with ${kind}`);
    }
  }
});

test('dialogs and menus have no cut-off text with long names', async ({ page }) => {
  for (const number of [0, 3]) {
    const profile = {
      ...makeProfile({ number, bio: '', isOwner: false, canSeeActiveCalls: false }),
      deletesAt: null,
      canBeSubscribed: true,
    };
    const steer = allOf(
      asFollower,
      responded([], address.followed, address.mine, reads.callsOfCaller, reads.paperFollows),
      responded(NO_RESULTS, reads.results),
      responded(profile, reads.caller),
      responded(makeStatistics({ canSeeActiveCalls: false }), reads.statistics),
    );
    await open(page, { path: '/caller/amara_calls', steer });
    await page.getByRole('button', { name: /^Subscribe$|^Free Access$/ }).click();
    await expect(page.getByRole('dialog')).toContainText('Subscribe to');
    await expectItFits(page, `Subscribe to ${number}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Your account' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectItFits(page, 'account menu');
  }
});
