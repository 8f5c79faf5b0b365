import type { HoldingsMovement } from '#schema/rules/calls/call-holdings.ts';
import { expect, type Page } from '@playwright/test';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerListItem, CallerProfile, CallerStatistics } from '#schema/contracts/callers.ts';
import type { CallDetail, TokenCalls } from '#schema/contracts/calls.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { OpenIntentResponse, PaymentSummary, Receipt } from '#schema/contracts/payments.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { PayoutChange, SavedWallet } from '#schema/contracts/wallets.ts';
import { ada } from '#web/testing/samples.ts';
import { localOperator } from '#dev/local/local-operator.ts';
import { describeEndedCalls } from '#schema/rules/calls/performance.ts';
import { chooseComputeBudget, networkFeeOf } from '#schema/rules/money/network-fee.ts';
import {
  allOf,
  changed,
  responded,
  edited,
  failed,
  held,
  inParts,
  onWrite,
  reads,
  refused,
  type PageStep,
} from './responses.ts';
import {
  inFiveDays,
  makeDelivery,
  makeNotificationSettings,
  makePaymentPage,
  NO_RESULTS,
  makeWays,
  makeWebhook,
} from './hard-samples.ts';
import { usePushService } from './push-service.ts';
import { solanaUrl } from './settings.ts';
import { airdropToLocalWallet, presetAutoApprove, presetStorage, startAtOnce } from './steps.ts';

/** Steps that bring a screen into a state. Some run before its page opens, others after that. */
interface ScreenState {
  readonly before?: PageStep;
  readonly after?: PageStep;
}

/** A page, dialog, menu or toast, and its states. */
export interface Screen {
  readonly name: string;
  /** Handle of the signed-in viewer; null if signed out. */
  readonly as: string | null;
  readonly path: string;
  /** Opens the screen on its page, before the steps of `after` run. */
  readonly open?: PageStep;
  /** States by name. 'full' has the product's own responses. */
  readonly states: Readonly<Record<string, ScreenState>>;
  readonly isPhoneOnly?: boolean;
  /** True if the screen closes by itself. Then it is opened again for each theme and size. */
  readonly isFleeting?: boolean;
}

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

const press =
  (name: string | RegExp): PageStep =>
  (page) =>
    page
      .getByRole('button', { name, exact: typeof name === 'string' })
      .first()
      .click();
/** Presses a button and waits for its dialog, whose code may have to load. */
const openDialog = (name: string | RegExp): PageStep =>
  allOf(press(name), (page) => expect(page.getByRole('dialog')).toBeVisible());
const choose =
  (name: string): PageStep =>
  (page) =>
    page.getByRole('radio', { name, exact: true }).check();
const type =
  (label: string, text: string): PageStep =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text);
const typeAmount: PageStep = (page) => page.getByRole('dialog').getByLabel('Amount per call').fill('0');
const unfold =
  (title: string | RegExp): PageStep =>
  (page) =>
    page.locator('summary').filter({ hasText: title }).click();
const see =
  (text: string | RegExp): PageStep =>
  (page) =>
    expect(page.getByText(text).first()).toBeVisible();
const scrollTo =
  (text: string): PageStep =>
  (page) =>
    page.getByText(text).first().scrollIntoViewIfNeeded();
const noWallet: PageStep = (page) =>
  page.route('**/local-wallet.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

/** Makes the browser one of an iPhone, which has no wallets. */
const onIphone: PageStep = (page) =>
  page.addInitScript(() => {
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1';
    Object.defineProperty(navigator, 'userAgent', { value: userAgent });
  });
/** Makes the Local Wallet send the transactions that it signs. With `silent`, it returns no signature. */
const withPhoneWallet =
  (mode: '1' | 'silent'): PageStep =>
  (page) =>
    presetStorage(page, { 'local-wallet:phone': mode });

/** The four states of a page that reads these addresses. */
function statesOf(...addresses: readonly RegExp[]): Readonly<Record<string, ScreenState>> {
  return {
    full: {},
    loading: { before: held(...addresses) },
    empty: { before: responded([], ...addresses) },
    error: { before: failed(...addresses) },
  };
}

const directoryStates = {
  ...statesOf(reads.callers),
  'few-calls': {
    before: edited<readonly CallerListItem[]>(reads.callers, (callers) =>
      callers.filter(({ proven }) => proven === null),
    ),
  },
};
const withoutRecord = changed<CallerProfile>(reads.caller, {
  bio: null,
  profileImageUrl: null,
  winRate: null,
  proven: null,
  provenResults: 0,
  provenTokens: 0,
  provenBets: 1,
  avgReturn: null,
  totalCalls: 0,
  endedCalls: 0,
  rankedCalls: 0,
  activeCallCount: 0,
  subscriberCount: 0,
  followerCount: 0,
  isLeading: false,
  lastCallTimestamp: null,
  lastRankedCallTimestamp: null,
});
const nothingEnded = describeEndedCalls([]);
const withoutStatistics = responded(
  {
    windows: { '30d': nothingEnded, '90d': nothingEnded, all: nothingEnded },
    unrankedCalls: 0,
    microCapCalls: 0,
    microCaps: null,
    uncountedGains: 0,
    openCalls: null,
    holdings: null,
  } satisfies CallerStatistics,
  reads.statistics,
);
const endingProfile = edited<CallerProfile>(reads.caller, (caller) => ({
  ...caller,
  monthlyFee: '0.5',
  canBeSubscribed: true,
  viewer: { ...caller.viewer, isSubscribed: true, accessEndsAt: inFiveDays() },
}));
const endingSubscriptions = edited<readonly MySubscription[]>(reads.mySubscriptions, (subscriptions) =>
  subscriptions.map((subscription, index) => {
    if (index > 1) return subscription;
    const isActive = index === 0;
    const endDate = isActive ? inFiveDays() : new Date(Date.now() - DAY_MS).toISOString();
    return {
      ...subscription,
      monthlyFee: '0.5',
      canBeSubscribed: true,
      endDate,
      isActive,
      isCurrentlyActive: isActive,
    };
  }),
);
const withTelegram = allOf(
  changed<CurrentUser>(reads.user, { telegramHandle: 'look_telegram', telegramConnected: true }),
  responded(makeNotificationSettings(2), reads.notifications),
);
const withDeliveries = responded([0, 1, 2, 3, 4].map(makeDelivery), reads.deliveries);
const lostHandle = { twitterHandle: 'user-1900000000000000006' };
const withHoldings = changed<CallerStatistics>(reads.statistics, {
  holdings: { read: 24, bought: 15, sold: 8, medianFirstSaleMs: 250_000 },
});
const openMoreFigures: PageStep = (page) => page.getByText('More figures').click();

const other = { ...ada, profileImageUrl: null };
/** Makes each caller the impostor of a verified one, with a handle that another caller had before. */
const withLookAlike = changed<CallerProfile>(reads.caller, {
  isVerified: false,
  lookAlike: { ...other, firstName: 'Arnara', twitterHandle: 'arnara_calls' },
  formerHolder: { ...other, ...lostHandle, isVerified: false, until: '2026-11-01T10:00:00.000Z' },
});

const isSilent = changed<CallerProfile>(reads.caller, { silentSince: '2026-11-01T10:00:00.000Z' });

const profileStates = {
  full: {},
  loading: { before: held(reads.caller) },
  'loading-calls': { before: held(reads.callsOfCaller, reads.statistics, reads.results) },
  empty: {
    before: allOf(
      withoutRecord,
      withoutStatistics,
      responded([], reads.callsOfCaller),
      responded(NO_RESULTS, reads.results),
    ),
  },
  error: { before: failed(reads.caller) },
  'error-calls': { before: failed(reads.callsOfCaller, reads.statistics, reads.results) },
  calculator: { after: allOf(scrollTo('More figures'), see(/^With \$100 per call since/)) },
  holdings: { before: withHoldings, after: openMoreFigures },
};

const reversed = <Payment extends PaymentSummary>(payment: Payment): Payment => ({
  ...payment,
  state: 'revoked',
  period: null,
});
/** The newest payment may not be final yet. */
const finalReceipt = changed<Receipt>(reads.receipt, { state: 'finalized' });

const openReceipt: PageStep = async (page) => {
  await page
    .getByRole('link', { name: / receipt: / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/payments\/[1-9A-HJ-NP-Za-km-z]{64,88}$/);
};

/** Presses Verify in the open dialog and waits for this text. */
const verify = (text: string | RegExp): PageStep => allOf(press('Verify'), see(text));
const withOtherWinRate = changed<CallerProfile>(reads.caller, { winRate: 99.9 });
const withoutBestCaller = edited<CallerListItem[]>(reads.callers, (callers) => callers.slice(1));
/** The site's response is newer than its published log. */
const withNewerFigures: PageStep = (page) =>
  page.route(reads.caller, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'log-size': '999999999' };
    const caller = (await response.json()) as CallerProfile;
    await route.fulfill({ response, headers, json: { ...caller, winRate: 99.9 } });
  });
const withoutSolana: PageStep = (page) => page.route(`${solanaUrl}/`, (route) => route.abort());

const openCall: PageStep = async (page) => {
  await page.locator('main a[href^="/call/"]').first().click();
  await expect(page).toHaveURL(/\/call\/\w{20}$/);
};
const openToken: PageStep = async (page) => {
  await page.locator('main a[href^="/token/"]').first().click();
  await expect(page).toHaveURL(/\/token\/[1-9A-Za-z]+$/);
};
const withActiveCall = edited<TokenCalls>(reads.tokenCalls, (token) => ({
  ...token,
  active: token.ended.slice(0, 1).map((call) => ({
    ...call,
    isActive: true,
    lastPrice: { price: call.entryPrice, at: call.callTimestamp, source: 'jupiter' },
  })),
}));
const withAllFields = edited<CallDetail>(reads.call, (call) => ({
  ...call,
  thesis: 'Volume is back and the team ships.\nI am out below the stop.',
  targetPrice: String(Number(call.entryPrice) * 2),
  stopPrice: String(Number(call.entryPrice) / 2),
  isPaidPromotion: true,
  unrankedReason: 'one_source',
  updates: [{ id: 'update', message: 'Half of it is sold.', at: call.callTimestamp }],
  levelHits: [{ level: 'target', price: String(Number(call.entryPrice) * 2.01), at: call.callTimestamp }],
  holdings: {
    readUntil: new Date(Date.parse(call.callTimestamp) + 300_000).toISOString(),
    state: 'partial',
    found: {
      heldBefore: '123456.789',
      movements: [
        { kind: 'bought', after: -180_000, amount: '5000', usd: 1_200 },
        { kind: 'received', after: -60_000, amount: '1000', usd: 240 },
        { kind: 'sold', after: 250_000, amount: '100000', usd: 24_000.5 },
        { kind: 'sent', after: 260_000, amount: '123.456', usd: null },
      ].map(({ after, ...movement }) => ({
        ...(movement as HoldingsMovement),
        at: new Date(Date.parse(call.callTimestamp) + after).toISOString(),
      })),
    },
  },
}));

const openBecomeCaller = openDialog('Apply');
const applyForHalf = allOf(choose('Paid'), type('Monthly fee', '0.5'));
const submitApplication: PageStep = (page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Become a Caller' }).click();
const openConnectWallet = openDialog('Connect Wallet');
const openSubscribe = openDialog('Subscribe');
const pickLocalWallet: PageStep = (page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /Local Wallet/ })
    .click();
const openConfirm = allOf(airdropToLocalWallet, openSubscribe, pickLocalWallet);
const seeTerms = allOf(openConfirm, see('Review and pay'));
const seeFailure = allOf(openConfirm, see('Payment not ready'));
const pay = allOf(openConfirm, (page) => startAtOnce(page.getByRole('dialog')), press('Pay 0.5000 SOL'));
/** Runs a step, then advances the clock of `installClock` until the dialog shows its message for a long wait. */
const slowly =
  (step: PageStep, waiting: string | RegExp): PageStep =>
  async (page) => {
    await step(page);
    await expect(page.getByRole('dialog').getByText(waiting).first()).toBeVisible();
    await page.clock.runFor(SLOW_STEP_MS);
  };
const SLOW_STEP_MS = 21_000;
const promptInWallet: PageStep = (page) => presetAutoApprove(page, false);
const installClock: PageStep = (page) => page.clock.install();
const hideWallet: PageStep = (page) =>
  page.evaluate(() =>
    document.querySelector<HTMLElement>('local-wallet')?.style.setProperty('display', 'none'),
  );
/** Closes the dialog of a payment that Solana hasn't confirmed. */
const payAndLeave = allOf(
  pay,
  see(/^Waiting for Solana to confirm/),
  press('Close'),
  see('Payment in progress'),
);
const openDirectory: PageStep = async (page) => {
  await page.getByRole('link', { name: 'SolCallers home' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('amara_calls');
  await expect(page.locator('main [role=listitem]')).toHaveCount(1);
};
const endedSession = (address: RegExp): PageStep =>
  refused('auth.required', 'Unauthorized: please sign in.', address);
/** Connects the Local Wallet before the page opens. */
const withLocalWallet: PageStep = (page) =>
  presetStorage(page, { 'local-wallet:connected': '1', 'solcallers.wallet': 'local-wallet' });
/** Adds a locked Phantom, and a wallet that can't sign transactions. */
const withUnfitWallets: PageStep = (page) =>
  page.addInitScript(() => {
    const locked = () => Promise.reject(Object.assign(new Error('Locked'), { code: 4100 }));
    const phantom = { isPhantom: true, connect: locked, signTransaction: locked };
    const writer = {
      version: '1.0.0',
      name: 'Signs Texts Only',
      icon: 'data:image/svg+xml;base64,PHN2Zy8+',
      chains: ['solana:mainnet'],
      accounts: [],
      features: { 'standard:connect': {}, 'solana:signMessage': {} },
    };
    Object.assign(window, { solana: phantom });
    window.addEventListener('wallet-standard:app-ready', (event) =>
      (event as CustomEvent<{ register: (wallet: object) => void }>).detail.register(writer),
    );
  });
const NETWORK_FEE = networkFeeOf(chooseComputeBudget([]));
/** Makes the wallet's balance larger than the payment and its network fee, by `rest` lamports. */
const withRest = (rest: bigint): PageStep =>
  changed<OpenIntentResponse>(/\/api\/solana\/get-latest-blockhash$/, {
    payerLamports: String(500_000_000n + NETWORK_FEE + rest),
  });
const withHandle = changed<CurrentUser>(reads.user, { telegramHandle: 'look_telegram' });
const startLink: ConnectTelegramResponse = {
  message: 'Open the bot and press Start to connect it.',
  telegramHandle: 'look_telegram',
  startUrl: `https://t.me/SolCallersBot?start=${'n'.repeat(43)}`,
};
const openChoices: PageStep = async (page) => {
  await page.getByText('Notifications:').click();
  await page.getByText('Muted callers:').click();
};
const openEndCall = openDialog(/^End /);
const endCall = press('End call');
const openEditBio = openDialog('Edit bio');
const writeUpdate = type('Message', 'Half of it is sold.');
/**
 * Presses the button without waiting for the dialog, because the dialog doesn't open if its image fails to
 * load.
 */
const openShare = press(/^Share /);
const address = {
  becomeCaller: /\/api\/user\/become-caller$/,
  challenge: /\/api\/user\/wallets\/challenge$/,
  intent: /\/api\/solana\/get-latest-blockhash$/,
  confirmation: /\/api\/solana\/confirm-transaction$/,
  search: /\/api\/solana\/search-payment$/,
  connect: /\/api\/user\/telegram-connect$/,
  tweet: /\/api\/twitter-post$/,
  shareImage: /\/share\.png$/,
  endCall: /\/api\/token-calls\/[^/]+\/end(?:\?.*)?$/,
  bio: /\/api\/user\/profile$/,
  acceptances: /\/api\/user\/acceptances$/,
  deletion: /\/api\/user\/deletion$/,
  fee: /\/api\/user\/caller-profile$/,
} as const;

const isLeaving = changed<CurrentUser>(reads.user, { deletesAt: '2026-12-12T10:04:00.000Z' });
const mustAccept = changed<CurrentUser>(reads.user, { mustAcceptTerms: true });
const acceptTerms = allOf(
  (page) => page.getByRole('checkbox', { name: /^I have read and accept/ }).check(),
  press('Continue'),
);
const deleteAccount: PageStep = async (page) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('amara_calls');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
};
const confirmAction: PageStep = (page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();

const withPayoutChanges = responded(
  [
    {
      from: 'PayoutBeforeXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
      to: 'PayoutSinceXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
      at: '2026-11-20T10:00:00.000Z',
    },
    { from: null, to: 'PayoutBeforeXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX', at: '2026-11-02T18:30:00.000Z' },
  ] satisfies PayoutChange[],
  reads.payoutChanges,
);
const withWays = responded(makeWays(), reads.ways);
const createKey = press('Create');
const saveWebhook = (text: RegExp): PageStep =>
  allOf(type('Address of your program', 'https://bot.example.com/hook'), press(/^Save/), see(text));
const withoutPayout = edited<SavedWallet[]>(reads.wallets, (wallets) =>
  wallets.map((wallet) => ({ ...wallet, isPayout: false })),
);
const withOldSignIn = (address: RegExp, message = 'Sign in again.'): PageStep =>
  refused('auth.fresh_sign_in_needed', message, address);

/** Where a screen is, and the handle of its signed-in viewer; null if signed out. */
type Place = Pick<Screen, 'as' | 'path'>;
const as = (handle: string, path: string): Place => ({ as: handle, path });
const visitor = (path: string): Place => ({ as: null, path });
const ownDashboard = as('amara_calls', '/dashboard');
const ownSettings = (section: string) => as('amara_calls', `/settings/${section}`);
const screen = (name: string, place: Place, states: Screen['states']): Screen => ({ name, ...place, states });
/** A screen in one state. */
const only = (name: string, place: Place, after?: PageStep, before?: PageStep): Screen =>
  screen(name, place, { full: { ...(before && { before }), ...(after && { after }) } });
/** A dialog or editor, which `open` opens in each state. */
const overlay = (name: string, place: Place, open: PageStep, states: Screen['states']): Screen => ({
  ...screen(name, place, states),
  open,
});

export const pages: readonly Screen[] = [
  screen('directory-cards', visitor('/'), directoryStates),
  screen('directory-table', visitor('/?view=table'), directoryStates),
  screen('directory-narrowed', visitor('/?search=nobody-is-called-this&paid=true'), { empty: {} }),
  screen('recent-calls', visitor('/recent-calls'), statesOf(reads.endedCalls)),
  screen('call', visitor('/recent-calls'), {
    full: { after: allOf(openCall, see('Timeline')) },
    'all-fields': {
      before: withAllFields,
      after: allOf(openCall, see('Volume is back and the team ships.')),
    },
    'ended-automatically': {
      before: changed<CallDetail>(reads.call, {
        endPrice: '0',
        changePercent: -100,
        automaticEnd: 'no_price',
      }),
      after: allOf(openCall, see('Ended automatically.')),
    },
    'without-marks': {
      before: changed<CallDetail>(reads.call, {
        marks: [],
        follower: { rule: 'gain_without_mark', percent: null },
      }),
      after: allOf(openCall, see(/^No result:/)),
    },
    'look-alike': { before: withLookAlike, after: allOf(openCall, see('Not @arnara_calls.')) },
    loading: { before: held(reads.call), after: openCall },
    error: { before: failed(reads.call), after: allOf(openCall, see('Failed to load this call')) },
    'error-chart': {
      before: failed(reads.callChart),
      after: allOf(openCall, see('Failed to load the chart')),
    },
  }),
  screen('token', visitor('/recent-calls'), {
    full: { after: allOf(openToken, see('Liquidity')) },
    'active-calls': { before: withActiveCall, after: allOf(openToken, see('Active Calls')) },
    loading: { before: held(reads.tokenCalls), after: openToken },
    error: { before: failed(reads.tokenCalls), after: allOf(openToken, see('Failed to load this token')) },
    'error-safety': {
      before: failed(reads.token),
      after: allOf(openToken, see('Failed to load the token')),
    },
  }),
  only('token-not-found', visitor('/token/nothing'), see('Token Not Found')),
  only('directory-tokens', visitor('/?search=bo'), see('Tokens:')),
  only('call-not-found', visitor('/call/nothing'), see('Call Not Found')),
  screen('profile-visitor', visitor('/caller/amara_calls'), {
    ...profileStates,
    silent: { before: isSilent, after: see('No activity since') },
    'look-alike': { before: withLookAlike, after: see('Not @arnara_calls.') },
    'without-follower-results': {
      before: changed<CallerProfile>(reads.caller, {
        followerReturn: null,
        followerCalls: 0,
        callsWithoutResult: 3,
      }),
      after: allOf(openMoreFigures, see('3 of the newest 3 ranked calls have no result')),
    },
    'lost-handle': {
      before: changed<CallerProfile>(reads.caller, lostHandle),
      after: see('Handle changed on X'),
    },
  }),
  screen('profile-subscriber', as('tobi_drift', '/caller/FifteenLetters_'), {
    ...profileStates,
    ending: { before: endingProfile },
    telegram: { before: allOf(endingProfile, withTelegram) },
  }),
  screen('profile-owner', as('amara_calls', '/caller/amara_calls'), profileStates),
  only('profile-not-found', visitor('/caller/nobody_here')),
  screen('dashboard-caller', ownDashboard, {
    ...statesOf(reads.caller, reads.callsOfCaller, reads.subscribers),
    'session-ended': { before: endedSession(reads.callsOfCaller), after: see('Your session has ended.') },
    empty: { before: allOf(withoutRecord, responded([], reads.callsOfCaller, reads.subscribers)) },
  }),
  overlay('dashboard-buys', ownDashboard, unfold('Your Recent Buys'), statesOf(reads.wallets, reads.buys)),
  screen('settings-sign-ins', ownSettings('sign-ins'), {
    ...statesOf(reads.ways),
    full: { before: withWays },
  }),
  screen('settings-notifications', ownSettings('notifications'), {
    ...statesOf(reads.deliveries),
    'loading-chats': { before: held(reads.telegramChats) },
    'error-chats': { before: failed(reads.telegramChats) },
    full: { before: allOf(withTelegram, withDeliveries) },
    push: { before: usePushService, after: see('Turn On') },
    'push-on': { before: usePushService, after: allOf(press('Turn On'), see('Notifications On')) },
    'loading-push': { before: allOf(usePushService, held(reads.push)) },
    'error-push': {
      before: allOf(usePushService, failed(reads.push)),
      after: see('Failed to load notifications on this device'),
    },
  }),
  screen('settings-wallets', ownSettings('wallets'), {
    ...statesOf(reads.wallets, reads.payoutChanges, reads.balances),
    'payout-changed': { before: allOf(withPayoutChanges, withLocalWallet) },
  }),
  screen('settings-data', ownSettings('data'), {
    full: {},
    leaving: { before: isLeaving, after: see(/^Your account will be deleted on/) },
  }),
  only('dashboard-token', as('kenji_charts', `/dashboard?token=${BONK}`), see('Bonk')),
  screen('dashboard-search', as('kenji_charts', '/dashboard'), {
    full: { after: allOf(type('Find a token', 'bonk'), see('Looks like')) },
    loading: { before: held(reads.tokenSearch), after: type('Find a token', 'bonk') },
    empty: { after: allOf(type('Find a token', 'nobody knows this'), see('Token not found')) },
    error: {
      before: failed(reads.tokenSearch),
      after: allOf(type('Find a token', 'bonk'), see('Solana does not respond')),
    },
  }),
  screen('dashboard-subscriber', as('tobi_drift', '/dashboard'), {
    ...statesOf(reads.subscriptions),
    ending: { before: endingSubscriptions },
    telegram: { before: allOf(endingSubscriptions, withTelegram) },
  }),
  only('profile-paying', as('look_away', '/caller/amara_calls'), payAndLeave, held(address.confirmation)),
  only(
    'directory-paying',
    as('look_away_far', '/caller/amara_calls'),
    allOf(payAndLeave, openDirectory, see('Payment in progress')),
    held(address.confirmation),
  ),
  only(
    'directory-paying-table',
    as('look_away_row', '/caller/amara_calls'),
    allOf(payAndLeave, openDirectory, choose('Table'), see('Payment in progress')),
    held(address.confirmation),
  ),
  screen('portfolio', as('tobi_drift', '/portfolio'), {
    ...statesOf(reads.paperFollows),
    'loading-results': { before: held(reads.results) },
    'empty-results': { before: responded(NO_RESULTS, reads.results) },
    'error-results': { before: failed(reads.results) },
  }),
  screen('payments', as('tobi_drift', '/payments'), {
    ...statesOf(reads.payments),
    reversed: { before: edited<Receipt[]>(reads.payments, (rows) => rows.map(reversed)) },
  }),
  screen('operators', as(localOperator.handle, '/operators'), {
    full: {},
    loading: { before: held(reads.operators) },
    error: { before: failed(reads.operators) },
  }),
  screen('operators-found', as(localOperator.handle, '/operators?search=kenji_charts'), {
    full: {},
    empty: { before: responded([], reads.operators) },
  }),
  screen('operators-payment', as(localOperator.handle, '/operators/payment/sample'), {
    full: { before: responded(makePaymentPage(), reads.operators) },
  }),
  only('operators-earned', as(localOperator.handle, '/operators/earned/all')),
  only('operators-audit', as(localOperator.handle, '/operators/audit')),
  only(
    'paused',
    visitor('/recent-calls'),
    see('Solana is slow today.'),
    responded(
      {
        pauses: [{ kind: 'payments', reason: 'Solana is slow today.', since: '2026-11-22T10:00:00.000Z' }],
        outages: [{ ability: 'sign_in', since: '2026-11-22T10:02:00.000Z' }],
      },
      reads.status,
    ),
  ),
  screen('earnings', as('amara_calls', '/payments/earnings'), statesOf(reads.earnings)),
  screen('receipt', as('tobi_drift', '/payments'), {
    full: { after: allOf(openReceipt, see('Total')) },
    loading: { before: held(reads.receipt), after: openReceipt },
    error: { before: failed(reads.receipt), after: allOf(openReceipt, see('Failed to load this receipt')) },
    reversed: {
      before: edited<Receipt>(reads.receipt, reversed),
      after: allOf(openReceipt, see('Reversed')),
    },
    asking: { before: finalReceipt, after: allOf(openReceipt, openDialog('Ask for a refund')) },
  }),
  screen('refund', as('amara_calls', '/payments/earnings'), {
    wallet: { before: finalReceipt, after: allOf(openReceipt, openDialog('Refund')) },
    connected: {
      before: finalReceipt,
      after: allOf(
        openReceipt,
        openDialog('Refund'),
        pickLocalWallet,
        see(/Nobody has asked for this refund/),
      ),
    },
  }),
  only('receipt-not-found', as('tobi_drift', '/payments/nothing'), see('Receipt Not Found')),
  only('compare-empty', visitor('/compare')),
  screen('compare', visitor('/compare?callers=amara_calls+kenji_charts'), {
    full: { after: see('Amara Lanternby') },
    loading: { before: held(reads.caller, reads.results) },
    error: { before: failed(reads.results) },
  }),
  only(
    'compare-full',
    visitor('/compare?callers=amara_calls+nobody_here+kenji_charts+FifteenLetters_+ninepence'),
    see('Caller Not Found'),
  ),
  only('how-we-count', visitor('/how-we-count')),
  only('sealed-calls', visitor('/sealed-calls')),
  only('terms', visitor('/terms')),
  only('privacy', visitor('/privacy')),
  only('risk', visitor('/risk')),
  only('api-docs', visitor('/api/docs')),
  only('bot-page', visitor('/api/docs/bot')),
  only('embed', visitor('/embed/caller/amara_calls')),
  only('test-dashboard', visitor('/test-dashboard')),
  only('not-found', visitor('/no/such/page')),
];

export const overlays: readonly Screen[] = [
  overlay('verify', visitor('/caller/amara_calls'), openDialog('Verify this record'), {
    full: { after: allOf(verify('Verified'), unfold('Details')) },
    idle: { after: allOf(unfold(/^Times from Solana/), type('RPC endpoint', 'nothing')) },
    loading: { before: held(reads.log), after: press('Verify') },
    unconfirmed: { before: withoutSolana, after: verify('Not confirmed') },
    cancelled: {
      before: held(reads.log),
      after: allOf(press('Verify'), press('Cancel'), see(/^Cancelled/)),
    },
    error: { before: failed(reads.log), after: verify("Couldn't check") },
    refuted: { before: withOtherWinRate, after: verify('Not verified') },
    waiting: { before: withNewerFigures, after: verify(/^Waiting for the log/) },
  }),
  overlay('verify-leaderboard', visitor('/'), openDialog('Verify this leaderboard'), {
    full: { after: verify('Verified') },
    unconfirmed: { before: withoutSolana, after: verify('Not confirmed') },
    refuted: { before: withoutBestCaller, after: verify('Not verified') },
  }),
  overlay('connect-wallet', as('kenji_charts', '/settings/wallets'), openConnectWallet, {
    full: {},
    loading: { before: held(address.challenge), after: pickLocalWallet },
    empty: { before: noWallet },
    error: { before: failed(address.challenge), after: allOf(pickLocalWallet, see('Warning')) },
  }),
  overlay('become-caller', as('look_apply', '/dashboard'), openBecomeCaller, {
    full: { after: applyForHalf },
    loading: { before: held(address.becomeCaller), after: allOf(applyForHalf, submitApplication) },
    empty: {},
    terms: { before: mustAccept, after: see(/^I have read and accept/) },
    error: { after: allOf(choose('Paid'), type('Monthly fee', '0.001'), submitApplication) },
  }),
  overlay('accept-terms', as('look_connect', '/caller/amara_calls'), openSubscribe, {
    full: { before: mustAccept, after: see('Before you pay') },
    loading: { before: allOf(mustAccept, held(address.acceptances)), after: acceptTerms },
    error: { before: allOf(mustAccept, failed(address.acceptances)), after: acceptTerms },
  }),
  overlay('subscribe-connect', as('look_connect', '/caller/amara_calls'), openSubscribe, {
    full: {},
    empty: { before: noWallet },
    phone: { before: allOf(noWallet, onIphone) },
    error: { before: withUnfitWallets, after: allOf(press(/^Phantom/), see(/Phantom is locked/)) },
    connected: { after: allOf(pickLocalWallet, press('Use another wallet'), see('Disconnect')) },
  }),
  only('subscribe-free', as('look_free', '/caller/kenji_charts'), openDialog('Free Access')),
  screen('subscribe-confirm', as('look_confirm', '/caller/amara_calls'), {
    full: { after: seeTerms },
    loading: { before: held(address.intent), after: openConfirm },
    empty: { after: allOf(openSubscribe, pickLocalWallet, see('Review and pay')) },
    phone: { before: withPhoneWallet('1'), after: seeTerms },
    error: { before: failed(address.intent), after: seeFailure },
    'error-rest': { before: withRest(1_000n), after: seeTerms },
  }),
  // Signing leaves a pending payment, so each of these screens has its own user.
  screen('subscribe-paying', as('look_paying', '/caller/amara_calls'), {
    loading: { before: held(address.confirmation), after: pay },
  }),
  screen('subscribe-paying-wallet', as('look_wallet', '/caller/amara_calls'), {
    loading: {
      before: allOf(promptInWallet, installClock),
      after: allOf(slowly(pay, /^Open Local Wallet/), hideWallet),
    },
  }),
  screen('subscribe-unfinished', as('look_unfinished', '/caller/amara_calls'), {
    error: {
      before: refused('request.not_found', 'There is nothing here.', address.confirmation),
      after: allOf(pay, see('Check this payment again')),
    },
  }),
  screen('subscribe-searching', as('look_searching', '/caller/amara_calls'), {
    loading: {
      before: allOf(withPhoneWallet('silent'), held(address.search)),
      after: allOf(pay, see(/^We're looking for your payment/)),
    },
  }),
  only('subscribe-complete', as('look_complete', '/caller/amara_calls'), allOf(pay, see('Receipt'))),
  overlay('edit-bio', as('amara_calls', '/caller/amara_calls'), openEditBio, {
    full: {},
    empty: { before: changed<CallerProfile>(reads.caller, { bio: null }) },
    error: { after: type('Bio', 'A word too many. '.repeat(30)) },
    'session-ended': {
      before: endedSession(address.bio),
      after: allOf(type('Bio', 'An hour of work.'), press('Save'), see('Your session has ended.')),
    },
  }),
  overlay('end-call', ownDashboard, openEndCall, {
    full: {},
    warning: {
      before: refused(
        'calls.gain_not_counted',
        'The gain of +12.3% would count as 0% because no second price source confirms the price at the moment, ' +
          'or the issuer has changed how many tokens wallets show. For a gain to count, end it once neither is so.',
        address.endCall,
      ),
      after: allOf(endCall, see('The call is still active.')),
    },
  }),
  overlay('update-call', ownDashboard, openDialog(/^Update /), {
    full: { after: writeUpdate },
    empty: {},
    error: { after: type('Message', 'A word too many. '.repeat(240)) },
  }),
  screen('share-call', ownDashboard, {
    full: { after: allOf(openShare, see('Post tweet')) },
    loading: { before: held(address.tweet), after: allOf(openShare, press('Post tweet')) },
    empty: { after: allOf(openShare, type('Tweet', ''), press('Post tweet'), see('Please add some text')) },
    error: { after: allOf(openShare, type('Tweet', 'A word too many. '.repeat(20))) },
    'error-preview': { before: failed(address.shareImage), after: allOf(openShare, see('Preview Failed')) },
    consent: { after: allOf(openShare, press('Post tweet'), see('Allow posting on X')) },
  }),
  screen('telegram', as('look_telegram', '/settings/notifications'), {
    full: { before: withTelegram, after: openChoices },
    folded: { before: withTelegram },
    'none-muted': {
      before: allOf(withTelegram, responded(makeNotificationSettings(0), reads.notifications)),
      after: openChoices,
    },
    loading: { before: allOf(withTelegram, held(reads.notifications)) },
    'error-choices': {
      before: allOf(withTelegram, failed(reads.notifications)),
      after: see('Failed to load your notifications.'),
    },
    pending: { before: withHandle },
    link: {
      before: allOf(withHandle, responded(startLink, address.connect)),
      after: allOf(press('Get a new link'), see('Waiting for you to press Start...')),
    },
    empty: {},
    error: { after: press('Connect Telegram') },
  }),
  only('remove-wallet', ownSettings('wallets'), openDialog('Remove')),
  only('payout-changes', ownSettings('wallets'), openDialog("Wasn't this you?"), withPayoutChanges),
  only('end-others', ownSettings('sign-ins'), openDialog('End all others'), withWays),
  overlay('create-api-key', ownSettings('sign-ins'), openDialog('Create a key'), {
    full: {},
    created: {
      before: onWrite(reads.apiKeys, responded({ id: 'a', key: `sc_${'k'.repeat(54)}` }, reads.apiKeys)),
      after: allOf(createKey, see('Copy your key now')),
    },
    error: { after: allOf(createKey, see(/^Give the key a name/)) },
  }),
  screen('webhook', ownSettings('webhook'), {
    full: {
      before: onWrite(
        reads.webhook,
        responded({ ...makeWebhook(), secret: `whsec_${'s'.repeat(44)}` }, reads.webhook),
      ),
      after: saveWebhook(/^Copy the secret now/),
    },
    error: {
      before: onWrite(
        reads.webhook,
        refused(
          'webhooks.address_refused',
          'This address can’t get webhooks. Use a public https address on the default port.',
          reads.webhook,
        ),
      ),
      after: saveWebhook(/^This address can’t get webhooks/),
    },
  }),
  only(
    'sign-in-again',
    ownSettings('wallets'),
    openDialog('Use for payouts'),
    allOf(withoutPayout, withOldSignIn(address.fee, 'To change your payout wallet, sign in again.')),
  ),
  overlay('delete-account', ownSettings('data'), openDialog('Delete my account'), {
    full: {},
    error: {
      before: refused(
        'account.open_calls',
        'End your open calls first: BONK, WIF. Nothing was deleted.',
        address.deletion,
      ),
      after: allOf(deleteAccount, see(/^End your open calls first/)),
    },
    'sign-in-again': {
      before: withOldSignIn(address.deletion, 'To delete your account, sign in again. Nothing was deleted.'),
      after: allOf(deleteAccount, see('Sign in again')),
    },
  }),
  overlay('report', as('tobi_drift', '/caller/amara_calls'), openDialog('Report this caller'), {
    full: {},
    'no-reason': { after: allOf(press('Send report'), see('Choose a reason.')) },
  }),
  only('report-visitor', visitor('/caller/amara_calls'), openDialog('Report this caller')),
  overlay('paper', as('tobi_drift', '/caller/kenji_charts'), openDialog('Paper'), {
    full: {},
    invalid: { after: allOf(typeAmount, see(/^Enter a whole amount/)) },
  }),
  only('paper-change', as('tobi_drift', '/portfolio'), openDialog(/^On paper: /)),
  only('paper-visitor', visitor('/caller/amara_calls'), openDialog('Paper')),
  overlay('operators-action', as(localOperator.handle, '/operators'), openDialog('Pause: New calls'), {
    full: {},
    error: { after: allOf(confirmAction, see(/^Give a reason/)) },
  }),
  overlay('fee-editor', ownDashboard, press('Edit monthly fee'), {
    full: {},
    error: { after: allOf(type('Monthly fee', '0'), press('Save'), see('Invalid Fee')) },
  }),
  only('avatar-menu', as('amara_calls', '/'), press('Your account')),
  { ...only('mobile-menu', as('amara_calls', '/'), press('Open menu')), isPhoneOnly: true },
  { ...only('mobile-menu-visitor', visitor('/'), press('Open menu')), isPhoneOnly: true },
  {
    ...only('toast', visitor('/caller/amara_calls'), allOf(press('Subscribe'), see('Please Sign In'))),
    isFleeting: true,
  },
];

/** Waits until a page has loaded or, with `isLoading`, until it shows skeletons. */
async function waitForPage(page: Page, isLoading: boolean): Promise<void> {
  await expect(page.locator('main').locator('h1, [role=status], [role=alert]').first()).toBeVisible();
  if (!isLoading) {
    await expect(page.locator('main h1').first()).toBeVisible();
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  }
  await page.evaluate(() => document.fonts.ready);
}

/**
 * Leaves the page before closing it, so that its held requests never reach the product. Goes offline too, because
 * removing a route may send what it held.
 */
export async function closeScreen(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().setOffline(true);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
  await page.context().setOffline(false);
}

export async function openScreen(
  page: Page,
  { screen, state }: { readonly screen: Screen; readonly state: string },
): Promise<void> {
  const { before, after } = screen.states[state] ?? {};
  await inParts(page);
  await before?.(page);
  await page.goto(screen.path);
  await waitForPage(page, state.startsWith('loading'));
  await screen.open?.(page);
  await after?.(page);
}
