import { Transaction } from '@solana/web3.js';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants/people.ts';
import type { OpenIntentBody } from '#schema/contracts/payments.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaProfile, solPrice } from '#web/testing/samples.ts';
// Imported in advance, so that no step waits for the lazy import.
import './payment/build-payment.ts';
import { SLOW_CONNECTION_MS } from './payment/pay-caller.ts';
import {
  failedOnChain,
  intentResponse,
  landed,
  paidPeriod,
  PAYER,
  SIGNATURE,
  signedPayment,
  subscription,
} from './payment/payment-test-doubles.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import {
  free,
  goodApi,
  inOrder,
  openDialog,
  paid,
  payer,
  route,
  sendingWallet,
  signingWallet,
  TITLE,
} from './subscribe-test-doubles.tsx';

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Waits for pending promises and lazy imports. */
const finish = async () => {
  for (let round = 0; round < 5; round++) {
    await act(() => vi.dynamicImportSettled());
    await pass(50);
  }
};
const dialog = () => within(screen.getByRole('dialog', { name: TITLE }));
const button = (name: RegExp | string) => dialog().getByRole<HTMLButtonElement>('button', { name });
const press = async (name: RegExp | string) => {
  fireEvent.click(button(name));
  await finish();
};
const atOnce = () => dialog().queryByRole<HTMLInputElement>('checkbox', { name: START_AT_ONCE.request });
const startAtOnce = () => {
  const box = atOnce();
  if (box?.checked === false) fireEvent.click(box);
};
const stepTitle = () =>
  screen.getByRole('heading', {
    level: 3,
    name: (_name, element) => element.hasAttribute('data-step-title'),
  });
/** Labels of all buttons but Close. */
const buttonLabels = () =>
  dialog()
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '');
const status = () => dialog().getByRole('status').textContent ?? '';
const alert = () => dialog().queryByRole('alert')?.textContent ?? null;
/** An urgent toast is in the page twice: once visible, once for screen readers. */
const sees = (text: string | RegExp) => expect(screen.getAllByText(text).length).toBeGreaterThan(0);
const expectSubscribed = () => sees('You are subscribed to Ada Byron.');

const never = () => new Promise<never>(() => {});
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const wrongAmount = () => refuse(422, 'payments.wrong_amount', 'The amount is not the one agreed.');
const released = () => refuse(409, 'payments.released', "We couldn't read it. You can pay again.");
const unreadable = () => refuse(409, 'payments.unreadable', "It has landed, but we can't read it yet.");
const alreadySent = () =>
  refuse(409, 'payments.already_sent', 'Your earlier payment is still in progress.', {
    intentId: 'intent-2',
  });
const pending = () => new Response('{}', { status: 202 });
const declines = async () => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
};
const holding = (payerLamports: bigint) => () => ({ ...intentResponse(), payerLamports: `${payerLamports}` });
const DECLINED = 'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.';
const NEEDED = 1_000_015_000n;
const RENT = 650_240n;

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});

let callers = 0;

/** Opens the dialog. Uses a new caller each time, because a payment that never ends would affect the next test. */
async function opened(api: FakeRoutes = {}, wallet = signingWallet(), caller = {}) {
  const result = openDialog({ ...paid, id: `caller-of-test-${++callers}`, ...caller }, api, wallet);
  await finish();
  return result;
}

async function connected(...args: Parameters<typeof opened>) {
  const result = await opened(...args);
  await press(/^Local Wallet/);
  startAtOnce();
  return result;
}

async function paying(...args: Parameters<typeof opened>) {
  const result = await connected(...args);
  await press('Pay 1.0000 SOL');
  return result;
}

async function reopen({ show }: { show: (isOpen: boolean) => void }) {
  show(false);
  await finish();
  expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull();
  show(true);
  await finish();
  startAtOnce();
}

describe('a step of the subscribe dialog', () => {
  const asFree = () => opened({}, signingWallet(), free);
  const afterSlow = async (run: Promise<unknown>) => {
    await run;
    await pass(SLOW_CONNECTION_MS);
  };
  const refused = () => refuse(404, 'request.not_found', 'x');
  const prepared = (intent: unknown) => () => connected({ [route.intent]: intent });
  const silentWallet = () => afterSlow(paying({}, signingWallet(never)));
  const slowChain = () => afterSlow(paying({ [route.confirm]: pending }));
  const confirmed = (response: unknown) => () =>
    paying({ [route.confirm]: response, [route.search]: pending });
  const checked = (response: unknown) => async () => {
    const stored = JSON.stringify({ ...signedPayment, openedAt: Date.now() });
    localStorage.setItem(`solcallers.payment.user-1.${paid.id}`, stored);
    await opened({ [route.search]: response }, signingWallet(), paid);
    await press('Finish this payment');
  };
  const uncredited = (response: unknown) => () => paying({ [route.search]: response });

  // Specification 4.10-4.13, 4.18
  it.each<[string, () => Promise<unknown>, title: string, primary: string]>([
    ['a Free caller', asFree, 'No payment needed', 'Follow for free'],
    ['a wallet to choose', opened, 'Choose a wallet to pay from', 'Local WalletDetected'],
    ['terms to confirm', connected, 'Review and pay', 'Pay 1.0000 SOL'],
    [
      'a request for the terms without a response',
      prepared(lost),
      'Payment not ready',
      'Prepare the payment again',
    ],
    [
      'a payment of another device',
      prepared(alreadySent),
      "Your payment isn't finished",
      'Check this payment again',
    ],
    ['a wallet that does not respond', silentWallet, 'Payment in progress', 'Stop waiting'],
    ['a chain that does not confirm', slowChain, 'Payment in progress', 'Continue in background'],
    ['an unconfirmed payment', confirmed(refused), "Your payment isn't finished", 'Check this payment again'],
    ['a failed payment', confirmed(failedOnChain), 'Payment failed', 'Prepare the payment again'],
    ['a refused payment', uncredited(wrongAmount), 'Paid, but not active yet', 'Check this payment again'],
    ['an unreadable payment', uncredited(unreadable), 'Paid, but not active yet', 'Check this payment again'],
    ['a released payment', checked(released), 'Subscription failed', 'Reconnect wallet'],
    ['the completed payment', paying, 'Payment complete', 'Done'],
  ])('the subscribe dialog has a title and an action when it shows %s', async (_what, go, title, primary) => {
    await go();
    expect(stepTitle().textContent).toBe(title);
    expect(buttonLabels()).toContain(primary);
  });

  it('each step of the subscribe dialog focuses its title when it begins', async () => {
    await connected({}, signingWallet(never));
    expect(document.activeElement).toBe(stepTitle());
    await press('Pay 1.0000 SOL');
    expect(document.activeElement).toBe(stepTitle());
    await pass(SLOW_CONNECTION_MS);
    await press('Stop waiting');
    expect(stepTitle().textContent).toBe('Review and pay');
    expect(document.activeElement).toBe(stepTitle());
  });

  it('the subscribe dialog shows that the payment is being prepared', async () => {
    await connected({ [route.intent]: never });
    expect(stepTitle().textContent).toBe('Preparing the payment');
    const loading = screen.getByText('Loading payment details and balance');
    expect(loading.parentElement?.getAttribute('role')).toBe('status');
  });
});

describe('the subscribe dialog before a payment', () => {
  const known = { ...paid, id: 'caller-9', twitterHandle: 'amara_calls', isVerified: true };
  const lookAlike = { [`GET /api/callers/${paid.id}`]: { ...adaProfile, lookAlike: known } };

  it('the subscribe dialog warns about a look-alike until the user pays', async () => {
    await connected(lookAlike, signingWallet(), paid);
    sees('Not @amara_calls.');
    await press('Pay 1.0000 SOL');
    expectSubscribed();
    expect(screen.queryByText('Not @amara_calls.')).toBeNull();
  });

  it('the subscribe dialog closes when the user follows the link to a look-alike', async () => {
    const { onOpenChange } = await opened(lookAlike, signingWallet(), free);
    fireEvent.click(dialog().getByRole('link', { name: 'Ada Byron (@amara_calls)' }));
    expect(onOpenChange).toHaveBeenCalledWith(false);
  });

  const ACCEPT = 'POST /api/user/acceptances';
  const mustAccept = { id: 'user-1', mustAcceptTerms: true };
  const accepted = { [ACCEPT]: { id: 'user-1', mustAcceptTerms: false } };
  const tick = () => fireEvent.click(dialog().getByRole('checkbox', { name: /^I have read and accept/ }));

  it('the subscribe dialog requires the user to accept the terms before it shows the wallets', async () => {
    const { calls } = await opened({ 'GET /api/auth/user': mustAccept, ...accepted });
    expect(button('Continue').disabled).toBe(true);
    expect(dialog().queryByRole('button', { name: /^Local Wallet/ })).toBeNull();
    const links = dialog().getAllByRole('link', { name: /opens in a new tab/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(DOCUMENTS.map((name) => `/${name}`));
    tick();
    await press('Continue');
    await press(/^Local Wallet/);
    startAtOnce();
    expect(button('Pay 1.0000 SOL').disabled).toBe(false);
    expect(calls.find((call) => call.route === ACCEPT)?.body).toEqual(DOCUMENT_VERSIONS);
  });

  it('the subscribe dialog asks the user to accept terms that changed while the page was open', async () => {
    let user: object = { id: 'user-1' };
    const notAccepted = () => {
      user = mustAccept;
      return refuse(409, 'terms.not_accepted', 'Accept the terms first.');
    };
    const api = { 'GET /api/auth/user': () => user, [route.intent]: inOrder(notAccepted, intentResponse) };
    await connected({ ...api, ...accepted });
    tick();
    await press('Continue');
    startAtOnce();
    expect(button('Pay 1.0000 SOL').disabled).toBe(false);
  });

  it('following a Free caller doesn’t require the terms to be accepted', async () => {
    await opened({ 'GET /api/auth/user': mustAccept }, signingWallet(), free);
    expect(button('Follow for free')).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  // Specification 6.8
  it('the subscribe dialog asks a signed-out user to sign in', async () => {
    await opened({ 'GET /api/auth/user': () => refuse(401, 'auth.required', 'Unauthorized') });
    const link = dialog().getByRole('link', { name: 'Sign in with Twitter' });
    expect(link.getAttribute('href')).toBe('/api/auth/twitter');
  });

  it('the subscribe dialog offers no payment when the caller takes none', async () => {
    await opened({}, signingWallet(), { canBeSubscribed: false });
    sees(/takes no payments now/);
    expect(dialog().queryByRole('list', { name: 'Wallets' })).toBeNull();
  });

  // Specification 8.17
  it('the subscribe dialog stays at the connect step when the wallet does not connect', async () => {
    await connected({}, fakeStandardWallet({ name: 'Local Wallet', accounts: [] }).wallet);
    sees('Connection failed');
    sees('Failed to connect to wallet. Please try again.');
    expect(dialog().getByRole('list', { name: 'Wallets' })).toBeDefined();
  });

  // Specification 4.10, 4.19
  it('the subscribe dialog starts at the connect step each time it opens', async () => {
    await reopen(await connected());
    expect(button('Continue with this wallet')).toBeDefined();
    expect(dialog().queryByRole('button', { name: 'Pay 1.0000 SOL' })).toBeNull();
  });
});

describe('subscribing to a Free caller', () => {
  const FREE = 'POST /api/subscriptions/free';

  // Specification 4.15, 8.19
  it('a failed free subscription returns to the connect step', async () => {
    await opened({ [FREE]: () => new Response('', { status: 500 }) }, signingWallet(), free);
    await press('Follow for free');
    sees('Subscription Failed');
    sees('Failed to create free subscription.');
    expect(button('Follow for free')).toBeDefined();
  });
});

describe('the confirm step', () => {
  // Specification 4.11, 4.16, 6.10, 9.7
  it('the confirm step shows exactly what will be paid before anything is signed', async () => {
    const api = { [route.intent]: holding(2_500_000_000n), 'GET /api/prices/sol': solPrice('150') };
    const { routes, calls } = await connected(api, signingWallet(), paid);
    const { callerAddress, platformAddress } = intentResponse().intent;
    const toCaller = ['0.9000 SOL', '90%', callerAddress, '≈ $135.00'];
    const toPlatform = ['0.1000 SOL', '10%', platformAddress, '≈ $15.00'];
    const total = ['1.0000 SOL', '≈ $150.00', /^30 days/, /0\.000015 SOL/, '< $0.01', '2.5000 SOL'];
    const recipient = /sees your name, your handle and these dates, until 30 days after the end/;
    for (const text of [...toCaller, ...toPlatform, ...total, recipient]) sees(text);
    expect(routes()).not.toContain(route.send);
    expect(calls.find((call) => call.route === route.intent)?.body).toEqual({
      callerId: paid.id,
      payerAddress: payer.publicKey.toBase58(),
    });
  });

  it('the confirm step shows the network fee of the payment', async () => {
    await connected({ [route.intent]: () => intentResponse({ microLamports: 250_000n }) });
    const fee = dialog().getByText('Network fee').nextElementSibling?.textContent;
    expect(fee).toContain('about 0.000055 SOL extra');
  });

  it('the confirm step warns when the fee has changed since the page was opened', async () => {
    await connected({ [route.intent]: () => intentResponse({ total: 2_000_000_000n }) });
    expect(button('Pay 2.0000 SOL')).toBeDefined();
    sees(/The fee has changed since you opened this page/);
  });

  it('the confirm step offers 7, 30 and 90 days, and the choice changes sum and date at once', async () => {
    const intent = (body: OpenIntentBody) => ({
      ...intentResponse(body),
      payerLamports: '9000000000',
    });
    const { count, bodies } = await connected({ [route.intent]: intent });
    const choose = (days: number) => fireEvent.click(dialog().getByRole('radio', { name: `${days} days` }));
    expect(dialog().getByRole<HTMLInputElement>('radio', { name: '30 days' }).checked).toBe(true);
    choose(7);
    for (const text of ['0.233333334 SOL', '0.210000001 SOL', /^7 days, until/]) sees(text);
    expect(button('Pay 0.233333334 SOL').disabled).toBe(false);
    choose(90);
    for (const text of ['2.7000 SOL', /^90 days, until/, /can't return what is left/]) sees(text);
    expect(count(route.intent)).toBe(1);
    await press('Pay 3.0000 SOL');
    expect(bodies(route.intent)[1]).toMatchObject({ days: 90, replaces: 'intent-1' });
    expect(count(route.send)).toBe(1);
  });

  it('the confirm step shows no choice if the caller sells one length only', async () => {
    const [, month] = intentResponse().lengths;
    await connected({ [route.intent]: () => ({ ...intentResponse(), lengths: [month] }) });
    expect(dialog().queryByRole('radiogroup')).toBeNull();
  });

  const paidBy = (payerAddress: string, days: PeriodDays) => {
    const period = paidPeriod('old');
    return [{ ...period, payment: period.payment && { ...period.payment, payerAddress, days } }];
  };
  /** Opens the dialog while the page is connected to the wallet, and returns the number of intents before. */
  const reconnected = async (periods: unknown) => {
    const result = await opened({ [route.periods]: periods });
    await press(/^Local Wallet/);
    const before = result.count(route.intent);
    await reopen(result);
    return { ...result, newIntents: () => result.count(route.intent) - before };
  };

  it('a renewal begins with the price of the length that was bought last, from the wallet that paid it', async () => {
    const { newIntents, count } = await reconnected(paidBy(payer.publicKey.toBase58(), 7));
    expect(stepTitle().textContent).toBe('Review and pay');
    sees(/^7 days, starting when/);
    expect([newIntents(), count(route.send)]).toEqual([1, 0]);
    expect(button('Pay 0.233333334 SOL')).toBeDefined();
    await press('Use another wallet');
    expect(stepTitle().textContent).toBe('Choose a wallet to pay from');
  });

  it.each([
    ['the last payment came from another wallet', paidBy(PAYER, 7), /You last paid from 7Y4f/],
    ['nothing was paid before', [], /Nothing is paid until you confirm\.$/],
  ])('a connected wallet is not used without a choice if %s', async (_why, periods, text) => {
    const { newIntents } = await reconnected(periods);
    sees(text);
    expect(newIntents()).toBe(0);
    expect(button('Continue with this wallet')).toBeDefined();
  });

  it('Pay is disabled until the user asks that access begins at once', async () => {
    await connected();
    fireEvent.click(dialog().getByRole('checkbox', { name: START_AT_ONCE.request }));
    expect(button('Pay 1.0000 SOL').disabled).toBe(true);
    startAtOnce();
    expect(button('Pay 1.0000 SOL').disabled).toBe(false);
  });

  const untilDate = /^30 days, until \w{3} \d+, \d{4}$/;
  const onTop = '30 days, starting when your current access ends on Jun 15, 2099, until Jul 15, 2099';
  // The same day in almost all time zones.
  const later = '2099-06-15T10:00:00.000Z';
  const unknown = () => refuse(502, 'chain.unavailable', 'x');
  it.each<[string, string | null | undefined, unknown, string | RegExp]>([
    ['without earlier access', undefined, unknown, untilDate],
    ['after the earlier access ended', '2020-01-31T00:00:00.000Z', unknown, untilDate],
    ['on top of current access', later, unknown, onTop],
    ['on top of access that only the server knows about', null, [paidPeriod('old', later)], onTop],
  ])('the confirm step shows the access period %s', async (_what, accessEndsAt, periods, text) => {
    await connected({ [route.periods]: periods }, signingWallet(), { accessEndsAt });
    sees(text);
  });

  const moreSol = 'You need 0.000015 SOL more, including the network fee.';
  const rest = (left: string, add: string) =>
    `This payment would leave ${left} SOL in your wallet. Solana requires zero or at least 0.00065024 SOL. Add ${add} SOL or move ${left} SOL out first.`;
  it.each<[what: string, lamports: bigint, words: string | null]>([
    ['less than the payment and the fee', NEEDED - 15_000n, moreSol],
    ['exactly what is needed', NEEDED, null],
    ['one lamport more than needed', NEEDED + 1n, rest('0.000000001', '0.000650239')],
    ['one lamport less than with rent', NEEDED + RENT - 1n, rest('0.000650239', '0.000000001')],
    ['what is needed and the rent-exempt minimum', NEEDED + RENT, null],
  ])(
    'the confirm step with a balance of %s enables Pay or explains the problem',
    async (_what, lamports, words) => {
      await connected({ [route.intent]: holding(lamports) });
      expect(alert()).toBe(words);
      expect(button('Pay 1.0000 SOL').disabled).toBe(words !== null);
    },
  );

  it('the confirm step asks for another wallet if this one would receive the payment', async () => {
    const intent = intentResponse({ callerAddress: payer.publicKey.toBase58() });
    await connected({ [route.intent]: () => intent });
    expect(alert()).toBe(
      'This wallet would receive the payment, so it cannot make it. Choose another wallet.',
    );
    expect(button('Pay 1.0000 SOL').disabled).toBe(true);
    expect(dialog().queryByRole('button', { name: 'Check balance again' })).toBeNull();
    await press('Use another wallet');
    sees('Choose a wallet to pay from');
  });

  it('the confirm step checks the balance again on request', async () => {
    await connected({ [route.intent]: inOrder(holding(1n), holding(2n), holding(2n * NEEDED)) });
    await press('Check balance again');
    expect(alert()).toMatch(/^You need 1\.000014998 SOL more/);
    await press('Check balance again');
    expect(alert()).toBeNull();
    startAtOnce();
    await press('Pay 1.0000 SOL');
    expectSubscribed();
  });

  it('the confirm step shows why the server refused the payment intent and who can fix it', async () => {
    const message = 'At this fee no payment can land.';
    await connected({ [route.intent]: () => refuse(422, 'payments.amount_under_rent', message) });
    expect(alert()).toBe(`${message} Only Ada Byron can fix this. Nothing was paid.`);
  });

  it('the confirm step says that the wallet may warn because it signs without sending', async () => {
    await connected();
    sees(/It may warn that it signs without sending/);
  });
});

describe('a running payment', () => {
  const noConnection = { [route.send]: lost, [route.confirm]: lost };
  const notAccepted = {
    [route.send]: () => refuse(502, 'chain.unavailable', 'The Solana network did not respond.'),
    [route.confirm]: pending,
  };
  const waiting = signingWallet(never);
  // Specification 4.12, 4.17
  it.each<[string, FakeRoutes, typeof waiting | undefined, waits: RegExp, slow: RegExp, isSafe: boolean]>([
    [
      'the wallet',
      {},
      waiting,
      /Step 2 of 5: Sign with Local Wallet\. Open Local Wallet and sign the payment by \d+:\d+/,
      /Your wallet is still waiting for you to sign by \d+:\d+.*\. Nothing has left it\./,
      false,
    ],
    [
      'the network',
      { [route.send]: never },
      undefined,
      /Step 3 of 5: Send to Solana\. Sending your payment, usually a second or two/,
      /The network is slow/,
      false,
    ],
    [
      'the connection',
      noConnection,
      undefined,
      /You've lost the connection\. We send the signed payment as soon as you're back/,
      /Keep this tab open/,
      false,
    ],
    [
      'Solana to accept it',
      notAccepted,
      undefined,
      /Step 3 of 5: Send to Solana\. Solana isn't accepting the payment right now, so we keep sending it/,
      /so we keep sending it/,
      true,
    ],
    [
      'confirmation',
      { [route.confirm]: never },
      undefined,
      /Step 4 of 5: .*Waiting for Solana to confirm your payment, usually within five seconds/,
      /Solana is taking longer than usual/,
      true,
    ],
    [
      'activation',
      { [route.search]: never },
      undefined,
      /Step 5 of 5: .*Activating your access, usually a second or two/,
      /starts within minutes/,
      true,
    ],
  ])(
    'a running payment says that it waits for %s, and whether the tab can be closed',
    async (_what, api, wallet, waits, slow, isSafe) => {
      await paying(api, wallet);
      expect(status()).toMatch(waits);
      await pass(SLOW_CONNECTION_MS);
      expect(status()).toMatch(slow);
      expect(/You can close this tab/.test(status())).toBe(isSafe);
      expect(/[Kk]eep this tab open/.test(status())).toBe(!isSafe);
      expect(buttonLabels().includes('Continue in background')).toBe(isSafe);
    },
  );

  // Specification 2.147, 4.13, 4.17, 8.44
  it('a running payment ends with a receipt after one signed transfer and one search by its intent', async () => {
    const { calls } = await paying({}, signingWallet(), paid);
    sees('Receipt');
    sees('Subscription Successful!');
    const bodyOf = (name: string) => calls.find((call) => call.route === name)?.body;
    const { transaction } = bodyOf(route.send) as { transaction: string };
    const sent = Transaction.from(Uint8Array.from(atob(transaction), (character) => character.charCodeAt(0)));
    expect(sent.verifySignatures()).toBe(true);
    expect(sent.feePayer?.equals(payer.publicKey)).toBe(true);
    expect(bodyOf(route.search)).toEqual({ intentId: 'intent-1' });
    const link = dialog().getByRole('link', { name: 'View receipt' });
    expect(link.getAttribute('href')).toBe(`/payments/${SIGNATURE}`);
  });

  it('a running payment ignores Escape and is shown again when the dialog is reopened', async () => {
    let sign = () => {};
    const wallet = signingWallet(() => new Promise((resolve) => (sign = resolve as () => void)));
    const result = await paying({}, wallet);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(result.onOpenChange).not.toHaveBeenCalled();
    await press('Close');
    expect(result.onOpenChange).toHaveBeenCalledWith(false);
    await reopen(result);
    expect(status()).toMatch(/Step 2 of 5: Sign with Local Wallet/);
    sign();
    await finish();
    expectSubscribed();
  });

  it('the dialog shows after reopening why a payment failed while it was closed', async () => {
    let decline = (_error: unknown) => {};
    const wallet = signingWallet(() => new Promise((_resolve, reject) => (decline = reject)));
    const { show } = await paying({}, wallet);
    show(false);
    await finish();
    decline(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
    await finish();
    sees('Payment failed');
    show(true);
    await finish();
    expect(alert()).toBe(DECLINED);
  });

  // Specification 4.18
  it('a payment that was declined in the wallet can be tried again at once', async () => {
    const { count } = await paying({}, signingWallet(inOrder(declines, () => undefined)));
    sees('Payment failed');
    expect([alert(), count(route.send)]).toEqual([DECLINED, 0]);
    await press('Pay 1.0000 SOL');
    expectSubscribed();
  });

  const notAgreed = /The amount is not the one agreed/;
  const failed = { [route.confirm]: failedOnChain, [route.search]: pending };
  // Specification 4.18, 8.16, 8.18
  it.each<[string, FakeRoutes, string, RegExp]>([
    ['failed', failed, 'Payment failed', /Transaction failed on blockchain/],
    ['is not credited', { [route.search]: wrongAmount }, 'Subscription failed', notAgreed],
    ['can’t be read', { [route.search]: unreadable }, 'Paid, but not active yet', /can't read it yet/],
  ])(
    'a toast says that the payment %s, and the dialog shows the reason',
    async (_what, api, toast, reason) => {
      await paying(api);
      sees(toast);
      expect(screen.queryAllByText('Subscription failed').length > 0).toBe(toast === 'Subscription failed');
      expect(alert()).toMatch(reason);
      expect(screen.getAllByText(reason)).toHaveLength(1);
      expect(screen.queryByText('Receipt')).toBeNull();
      expect(dialog().queryByRole('list', { name: 'Wallets' })).toBeNull();
    },
  );

  it('a payment with lost responses is resumed with the same signature after the dialog was closed', async () => {
    let isLost = true;
    const result = await paying({
      [route.send]: () => (isLost ? lost() : { result: SIGNATURE }),
      [route.confirm]: () => (isLost ? lost() : landed),
    });
    await pass(2 * 60_000);
    expect(buttonLabels()).toEqual(['Check this payment again']);
    expect(alert()).toBe(
      "Failed to send transaction: no connection to the server. You can check this payment again. You won't pay twice.",
    );
    await reopen(result);
    expect(stepTitle().textContent).toBe("Your payment isn't finished");
    isLost = false;
    await press('Finish this payment');
    expectSubscribed();
    const sent = result.calls
      .filter((call) => call.route === route.send)
      .map(({ body }) => JSON.stringify(body));
    expect(new Set(sent).size).toBe(1);
    expect(result.count(route.intent)).toBe(2);
  });
});

describe('a payment from another tab or device', () => {
  it('a payment from another device blocks a second payment, and completes the subscription when it lands', async () => {
    let hasLanded = false;
    const { count, bodies, onOpenChange } = await connected({
      [route.intent]: alreadySent,
      [route.search]: () => (hasLanded ? subscription : pending()),
    });
    expect(alert()).toBe('Your earlier payment is still in progress.');
    hasLanded = true;
    await press('Check this payment again');
    expectSubscribed();
    sees('Subscription Successful!');
    expect(bodies(route.search)).toEqual([{ intentId: 'intent-2' }]);
    expect(count(route.send)).toBe(0);
    await press('Done');
    expect(onOpenChange).toHaveBeenCalledWith(false);
  });

  it('a payment signed in another tab is resumed without a wallet prompt', async () => {
    const sign = vi.fn(never);
    await connected({}, signingWallet(sign), paid);
    const other = JSON.stringify({ ...signedPayment, openedAt: Date.now() });
    localStorage.setItem(`solcallers.payment.user-1.${paid.id}`, other);
    await press('Pay 1.0000 SOL');
    expectSubscribed();
    expect(sign).not.toHaveBeenCalled();
  });

  it('a new payment is possible after a payment from another device has ended', async () => {
    await connected({ [route.intent]: inOrder(alreadySent, intentResponse), [route.search]: pending });
    await press("It wasn't paid. Start over");
    await press('Continue with this wallet');
    expect(screen.queryByText(/Nothing was paid/)).toBeNull();
    startAtOnce();
    expect(button('Pay 1.0000 SOL').disabled).toBe(false);
  });
});

describe('a payment with a wallet that can’t sign without sending', () => {
  const lostSession = async () => {
    throw new Error('The wallet session dropped unexpectedly (1006: ).');
  };

  const earlier = { signature: new Uint8Array(64).fill(4) };
  it.each<[string, () => Promise<readonly object[]>]>([
    ['the signature of another transaction', async () => [earlier]],
    ['two signatures of one transaction', async () => [earlier, earlier]],
    ['something that is no signature', async () => [{ signature: 'earlier' }]],
    ['no signature', async () => []],
    ['an error after sending the payment', lostSession],
  ])('the dialog finds a payment by its intent if the wallet returns %s', async (_what, send) => {
    const { count, bodies } = await connected(
      { [route.search]: inOrder(pending, subscription) },
      sendingWallet(send),
    );
    sees(/your wallet asks you to approve the payment, and sends it/);
    await press('Pay 1.0000 SOL');
    expect(screen.queryByText(/Nothing was paid/)).toBeNull();
    await pass(1_000);
    expect(stepTitle().textContent).toBe('Payment complete');
    const link = dialog().getByRole('link', { name: 'View receipt' });
    expect(link.getAttribute('href')).toBe(`/payments/${SIGNATURE}`);
    expect([count(route.send), count(route.confirm)]).toEqual([0, 0]);
    expect(bodies(route.search)).toEqual([{ intentId: 'intent-1' }, { intentId: 'intent-1' }]);
  });

  it('the dialog doesn’t offer to start over once the server has found the payment on the chain', async () => {
    await paying({ [route.search]: unreadable }, sendingWallet(lostSession));
    expect(alert()).toBe("It has landed, but we can't read it yet.");
    expect(stepTitle().textContent).toBe('Paid, but not active yet');
    expect(buttonLabels()).toEqual(['Check this payment again']);
  });

  it('the user can start over after a transaction on the chain that only names the payment', async () => {
    await paying({ [route.search]: wrongAmount }, sendingWallet(lostSession));
    expect(alert()).toBe('The amount is not the one agreed.');
    expect(stepTitle().textContent).toBe("Your payment isn't finished");
    await press("It wasn't paid. Start over");
    expect(stepTitle().textContent).toBe('Choose a wallet to pay from');
  });

  it('a payment that the wallet sends stays pending after the user stops waiting, until the user starts over', async () => {
    await paying({ [route.search]: pending }, sendingWallet(never));
    expect(status()).toContain('Open Local Wallet and approve the payment by ');
    expect(status()).not.toContain('Nothing has left');
    await pass(SLOW_CONNECTION_MS);
    await press('Stop waiting');
    expect(stepTitle().textContent).toBe("Your payment isn't finished");
    expect(buttonLabels()).toEqual(['Check this payment again', "It wasn't paid. Start over"]);
    await press("It wasn't paid. Start over");
    expect(stepTitle().textContent).toBe('Choose a wallet to pay from');
  });

  it('the dialog searches for a payment that the wallet sends if the connection to the wallet is lost', async () => {
    const result = await paying({ [route.search]: pending }, sendingWallet(lostSession));
    expect(status()).toContain("We're looking for your payment on Solana.");
    expect(status()).toContain('You can close this tab.');
    await pass(SLOW_CONNECTION_MS);
    await press('Stop waiting');
    expect(buttonLabels()).toEqual(['Check this payment again', "It wasn't paid. Start over"]);
    await reopen(result);
    sees(/You started a payment to this caller/);
    expect(buttonLabels()).toEqual(['Check this payment']);
  });
});

it('closing the subscribe dialog focuses the page’s heading if the button that opened it is gone', async () => {
  stubApi(goodApi);
  const page = (isOpen: boolean, hasButton: boolean) => (
    <main>
      <h1>Ada Byron</h1>
      {hasButton && <button type="button">Subscribe</button>}
      <SubscribeDialog caller={free} open={isOpen} onOpenChange={() => {}} />
    </main>
  );
  const { rerender } = renderScreen(page(false, true));
  screen.getByRole('button', { name: 'Subscribe' }).focus();
  rerender(page(true, true));
  await finish();
  rerender(page(true, false));
  rerender(page(false, false));
  await finish();
  expect(document.activeElement?.textContent).toBe('Ada Byron');
});
