import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
// Imported in advance, so that no step waits for the lazy import.
import './build-payment.ts';
import { intentAnswer, landed, paidPeriod, SIGNATURE } from './payment-test-doubles.ts';
import { SLOW_MS } from './pay-caller.ts';
import {
  free,
  inTurn,
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
const settle = async () => {
  for (let round = 0; round < 5; round++) {
    await act(() => vi.dynamicImportSettled());
    await pass(50);
  }
};
const press = async (name: RegExp | string) => {
  fireEvent.click(dialog().getByRole('button', { name }));
  await settle();
};
const dialog = () => within(screen.getByRole('dialog', { name: TITLE }));
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

const never = () => new Promise<never>(() => {});
const lost = () => {
  throw new TypeError('Failed to fetch');
};
const expired = () =>
  refuse(
    409,
    'payments.expired',
    'The transaction expired before it reached the chain. Nothing was paid. You can pay again.',
  );
const missing = () => refuse(422, 'payments.intent_missing', 'Unknown.');
const alreadySent = () =>
  refuse(409, 'payments.already_sent', 'Your earlier payment to this caller is still in progress.');
const pending = () => new Response('{}', { status: 202 });
const holding = (payerLamports: bigint) => () => ({
  ...intentAnswer(),
  payerLamports: String(payerLamports),
});
const NEEDED = 1_000_015_000n;
const RENT = 890_880n;

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

let callers = 0;

/** Opens the dialog. Uses a new caller each time, because a payment that never ends would affect the next test. */
const openPaid = (api: FakeRoutes = {}, wallet = signingWallet()) =>
  openDialog({ ...paid, id: `caller-of-test-${++callers}` }, api, wallet);

async function connected(api: FakeRoutes = {}, wallet = signingWallet()) {
  const opened = openPaid(api, wallet);
  await settle();
  await press(/^Local Wallet/);
  return opened;
}

async function paying(api: FakeRoutes = {}, wallet = signingWallet()) {
  const opened = await connected(api, wallet);
  await press('Pay 1.0000 SOL');
  return opened;
}

describe('a step of the subscribe dialog', () => {
  it.each<[what: string, go: () => Promise<unknown>, title: string, primary: string]>([
    [
      'a Free caller',
      async () => {
        openDialog(free);
        await settle();
      },
      'No payment needed',
      'Subscribe for free',
    ],
    [
      'a wallet to choose',
      async () => {
        openPaid();
        await settle();
      },
      'Choose a wallet to pay from',
      'Local WalletDetected',
    ],
    ['terms to confirm', () => connected(), 'Review and pay', 'Pay 1.0000 SOL'],
    [
      'terms that failed to load',
      () => connected({ [route.intent]: lost }),
      'Payment not ready',
      'Prepare the payment again',
    ],
    [
      'a signed payment of an earlier visit that has expired',
      async () => {
        let isLost = true;
        const { show } = await paying({
          [route.send]: () => (isLost ? lost() : expired()),
          [route.confirm]: () => (isLost ? lost() : expired()),
        });
        await pass(2 * 60_000);
        show(false);
        await settle();
        show(true);
        await settle();
        isLost = false;
        await press('Finish this payment');
      },
      'Payment failed',
      'Prepare the payment again',
    ],
    [
      'a payment in another tab',
      () => connected({ [route.intent]: alreadySent }),
      'Payment already in progress',
      'Check again',
    ],
    [
      'a wallet that does not answer',
      async () => {
        await paying({}, signingWallet(never));
        await pass(SLOW_MS);
      },
      'Payment in progress',
      'Stop waiting',
    ],
    [
      'a chain that does not confirm',
      async () => {
        await paying({ [route.confirm]: pending });
        await pass(SLOW_MS);
      },
      'Payment in progress',
      'Continue in background',
    ],
    [
      'a payment that is not confirmed',
      () => paying({ [route.confirm]: () => refuse(404, 'request.not_found', 'x') }),
      "Your payment isn't finished",
      'Check this payment again',
    ],
    [
      'a claim that is refused',
      () => paying({ [route.claim]: () => refuse(422, 'payments.wrong_amount', 'x') }),
      'Paid, but not active yet',
      'Finish the subscription',
    ],
    ['the completed payment', () => paying(), 'All set', 'Done'],
  ])('has a title and an action when it shows %s', async (_what, go, title, primary) => {
    await go();
    expect(stepTitle().textContent).toBe(title);
    expect(buttonLabels()).toContain(primary);
  });

  it('focuses its title when it begins', async () => {
    await connected({}, signingWallet(never));
    expect(document.activeElement).toBe(stepTitle());
    await press('Pay 1.0000 SOL');
    expect(document.activeElement).toBe(stepTitle());
    expect(stepTitle().textContent).toBe('Payment in progress');
    await pass(SLOW_MS);
    await press('Stop waiting');
    expect(stepTitle().textContent).toBe('Review and pay');
    expect(document.activeElement).toBe(stepTitle());
  });

  it('shows that the payment is being prepared', async () => {
    await connected({ [route.intent]: never });
    expect(stepTitle().textContent).toBe('Preparing the payment');
    expect(screen.getByText('Loading payment details and balance').parentElement?.getAttribute('role')).toBe(
      'status',
    );
  });
});

describe('a running payment', () => {
  const status = () => dialog().getByRole('status').textContent ?? '';

  it.each<
    [
      what: string,
      api: FakeRoutes,
      sign: (() => Promise<never>) | undefined,
      waiting: RegExp,
      slow: RegExp,
      isSafe: boolean,
    ]
  >([
    [
      'the wallet',
      {},
      never,
      /Step 2 of 5: Sign with Local Wallet\. Open Local Wallet and sign the payment\. You have about a minute/,
      /Your wallet is still waiting for you to sign\. Nothing has left it\./,
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
      'confirmation',
      { [route.confirm]: never },
      undefined,
      /Step 4 of 5: .*Waiting for Solana to confirm your payment, usually within five seconds/,
      /Solana is taking longer than usual/,
      true,
    ],
    [
      'activation',
      { [route.claim]: never },
      undefined,
      /Step 5 of 5: .*Activating your access, usually a second or two/,
      /starts within minutes/,
      true,
    ],
  ])(
    'says that it waits for %s, whether this is slow, and whether the tab can be closed',
    async (_what, api, sign, waiting, slow, isSafe) => {
      await paying(api, signingWallet(sign));
      expect(status()).toMatch(waiting);
      expect(status()).not.toMatch(slow);
      await pass(SLOW_MS);
      expect(status()).toMatch(slow);
      expect(/You can close this tab/.test(status())).toBe(isSafe);
      expect(/[Kk]eep this tab open/.test(status())).toBe(!isSafe);
    },
  );

  it('says that the server keeps sending and that the tab can be closed, if Solana did not accept the payment', async () => {
    await paying({
      [route.send]: () => refuse(502, 'chain.unavailable', 'The Solana network did not answer.'),
      [route.confirm]: pending,
    });
    expect(status()).toMatch(
      /Step 3 of 5: Send to Solana\. Solana isn't accepting the payment right now, so we keep sending it/,
    );
    expect(status()).not.toMatch(/usually/);
    expect(status()).toMatch(/You can close this tab/);
    expect(buttonLabels()).toContain('Continue in background');
  });

  it('does not say that the tab can be closed before the signature', async () => {
    await paying({}, signingWallet(never));
    expect(document.body.textContent).not.toMatch(/can close/i);
  });

  it('is not sent if the wallet signs after the user has stopped waiting', async () => {
    let sign = () => {};
    const { count } = await paying(
      {},
      signingWallet(() => new Promise((resolve) => (sign = () => resolve(undefined)))),
    );
    await pass(SLOW_MS);
    await press('Stop waiting');
    expect(dialog().getByRole('alert').textContent).toMatch(
      /^You stopped waiting for your wallet\. Nothing was paid\./,
    );
    sign();
    await settle();
    expect(count(route.send)).toBe(0);
    await press('Pay 1.0000 SOL');
    sign();
    await settle();
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
  });

  it('is sent again after a lost response', async () => {
    const { count } = await paying({
      [route.send]: inTurn(lost, { result: SIGNATURE }),
      [route.confirm]: inTurn(missing, landed),
    });
    await pass(5_000);
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
    expect(count(route.send)).toBe(2);
  });

  it('resumes with the same signature after lost responses and a closed dialog', async () => {
    let isLost = true;
    const { show, calls, count } = await paying({
      [route.send]: () => (isLost ? lost() : { result: SIGNATURE }),
      [route.confirm]: () => (isLost ? lost() : landed),
    });
    await pass(2 * 60_000);
    expect(buttonLabels()).toEqual(['Check this payment again']);
    expect(dialog().getByRole('alert').textContent).toBe(
      "Failed to send transaction: no connection to the server. You can check this payment again. You won't pay twice.",
    );
    show(false);
    await settle();
    expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull();
    show(true);
    await settle();
    expect(stepTitle().textContent).toBe("Your payment isn't finished");
    isLost = false;
    await press('Finish this payment');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
    const sent = calls
      .filter((call) => call.route === route.send)
      .map(({ body }) => (body as { transaction: string }).transaction);
    expect(new Set(sent).size).toBe(1);
    expect(count(route.intent)).toBe(1);
  });

  it('is sent automatically once the connection is back', async () => {
    let isLost = true;
    await paying({
      [route.send]: () => (isLost ? lost() : { result: SIGNATURE }),
      [route.confirm]: () => (isLost ? lost() : landed),
    });
    expect(status()).toMatch(
      /You've lost the connection\. We send the signed payment as soon as you're back/,
    );
    expect(status()).toMatch(/Keep this tab open/);
    await pass(30_000);
    isLost = false;
    await pass(10_000);
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
  });

  it('can be replaced by a new one once it has expired', async () => {
    const { count } = await paying({ [route.confirm]: inTurn(pending, pending, expired, landed) });
    await pass(5_000);
    expect(dialog().getByRole('alert').textContent).toBe(
      'The transaction expired before it reached the chain. Nothing was paid. You can pay again.',
    );
    expect(count(route.intent)).toBe(2);
    await press('Pay 1.0000 SOL');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
  });

  it('is reported as unconfirmed and can be checked again', async () => {
    let isLanded = false;
    const { count } = await paying({ [route.confirm]: () => (isLanded ? landed : pending()) });
    await pass(3 * 60_000);
    expect(dialog().getByRole('alert').textContent).toMatch(
      /^Solana hasn't confirmed your payment yet\. If it goes through, your subscription starts automatically, even with this tab closed\./,
    );
    isLanded = true;
    await press('Check this payment again');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
    expect(count(route.intent)).toBe(1);
  });
});

describe('the confirm step', () => {
  it.each<[what: string, lamports: bigint, words: string | null]>([
    [
      'less than the payment and the fee',
      NEEDED - 15_000n,
      'You need 0.000015 SOL more, including the network fee.',
    ],
    ['exactly what is needed', NEEDED, null],
    [
      'one lamport more than needed',
      NEEDED + 1n,
      'This payment would leave 0.000000001 SOL in your wallet. Solana requires zero or at least 0.00089088 SOL. Add 0.000890879 SOL or move 0.000000001 SOL out first.',
    ],
    [
      'one lamport less than what is needed and the rent-exempt minimum',
      NEEDED + RENT - 1n,
      'This payment would leave 0.000890879 SOL in your wallet. Solana requires zero or at least 0.00089088 SOL. Add 0.000000001 SOL or move 0.000890879 SOL out first.',
    ],
    ['what is needed and the rent-exempt minimum', NEEDED + RENT, null],
  ])('with a balance of %s, enables Pay or explains the problem', async (_what, lamports, words) => {
    await connected({ [route.intent]: holding(lamports) });
    expect(dialog().queryByRole('alert')?.textContent ?? null).toBe(words);
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Pay 1.0000 SOL' }).disabled).toBe(
      words !== null,
    );
  });

  it('asks for another wallet if this one would receive the payment', async () => {
    const intent = intentAnswer({ callerAddress: payer.publicKey.toBase58() });
    await connected({ [route.intent]: () => intent });
    expect(dialog().getByRole('alert').textContent).toBe(
      'This wallet would receive the payment, so it cannot make it. Choose another wallet.',
    );
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Pay 1.0000 SOL' }).disabled).toBe(true);
    expect(dialog().queryByRole('button', { name: 'Check balance again' })).toBeNull();
    await press('Use another wallet');
    expect(dialog().getByText('Choose a wallet to pay from')).toBeDefined();
  });

  it('checks the balance again when the user asks', async () => {
    await connected({ [route.intent]: inTurn(holding(1n), holding(2n), holding(2n * NEEDED)) });
    await press('Check balance again');
    expect(dialog().getByRole('alert').textContent).toMatch(/^You need 1\.000014998 SOL more/);
    await press('Check balance again');
    expect(dialog().queryByRole('alert')).toBeNull();
    await press('Pay 1.0000 SOL');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
  });
});

describe('an intent that the server refuses', () => {
  it('shows the reason and who can fix it', async () => {
    await connected({
      [route.intent]: () => refuse(422, 'payments.amount_under_rent', 'At this fee no payment can land.'),
    });
    expect(dialog().getByRole('alert').textContent).toBe(
      'At this fee no payment can land. Only Ada Byron can fix this. Nothing was paid.',
    );
  });
});

describe('a payment from another tab', () => {
  const before = [paidPeriod('before')];

  it('blocks a second payment, and completes the subscription when it lands', async () => {
    let state = 'in progress';
    const { onSubscribed, count } = await connected({
      [route.intent]: () => (state === 'in progress' ? alreadySent() : intentAnswer()),
      [route.periods]: () => (state === 'landed' ? [paidPeriod('new'), ...before] : before),
    });
    expect(dialog().getByText('Your earlier payment to this caller is still in progress.')).toBeDefined();
    expect(buttonLabels()).toEqual(['Check again']);
    await press('Check again');
    expect(dialog().getByRole('status').textContent).toMatch(/^Checked at .*: still in progress\.$/);
    state = 'landed';
    await press('Check again');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
    expect(onSubscribed).toHaveBeenCalledOnce();
    expect(count(route.send)).toBe(0);
  });

  it('allows a payment in this tab once it has failed', async () => {
    await connected({ [route.intent]: inTurn(alreadySent, () => intentAnswer()), [route.periods]: before });
    await press('Check again');
    expect(
      dialog().getByText(/^The other payment didn't go through\. Nothing was paid for it/),
    ).toBeDefined();
    await press('Pay 1.0000 SOL');
    expect(screen.getByText('You are subscribed to Ada Byron.')).toBeDefined();
  });

  it('can be checked again when the check fails', async () => {
    await connected({ [route.intent]: inTurn(alreadySent, lost, alreadySent) });
    await press('Check again');
    expect(dialog().getByRole('status').textContent).toBe(
      "Couldn't check the payment. Try again in a moment.",
    );
    expect(buttonLabels()).toEqual(['Check again']);
  });
});

describe('a payment with a wallet that can’t sign without sending', () => {
  const text = () => dialog().getByRole('status').textContent;
  const lostSession = async () => {
    throw new Error('The wallet session dropped unexpectedly (1006: ).');
  };

  it('is approved in the wallet, sent by the wallet, and completed by its signature', async () => {
    const { count } = await connected(
      {},
      sendingWallet(async () => new Uint8Array(64).fill(5)),
    );
    expect(dialog().getByText(/your wallet asks you to approve the payment, and sends it/)).toBeTruthy();
    await press('Pay 1.0000 SOL');
    expect(stepTitle().textContent).toBe('All set');
    expect([count(route.send), count(route.confirm), count(route.claim)]).toEqual([0, 0, 1]);
  });

  it('says what to do in the wallet, and is kept if the user stops waiting', async () => {
    await paying({}, sendingWallet(never));
    expect(text()).toContain('Open Local Wallet and approve the payment.');
    expect(text()).not.toContain('Nothing has left');
    await pass(SLOW_MS);
    await press('Stop waiting');
    expect(stepTitle().textContent).toBe("Your payment isn't finished");
    expect(buttonLabels()).toEqual(['Check this payment again', "It wasn't sent. Start over"]);
    await press("It wasn't sent. Start over");
    expect(stepTitle().textContent).toBe('Choose a wallet to pay from');
  });

  it('is searched for after the connection to the wallet is lost, and completes once it is found', async () => {
    const { count } = await paying(
      { [route.periods]: inTurn([], [], [paidPeriod('new')]) },
      sendingWallet(lostSession),
    );
    expect(text()).toContain("Your wallet didn't say whether it sent the payment");
    expect(text()).toContain('You can close this tab.');
    await pass(60_000);
    expect(stepTitle().textContent).toBe('Payment complete');
    expect(count(route.claim)).toBe(0);
  });

  it('is a payment to check after the page was closed while the wallet was open', async () => {
    const { show } = await paying({ [route.periods]: [] }, sendingWallet(lostSession));
    await pass(4 * 60_000);
    show(false);
    await settle();
    show(true);
    await settle();
    expect(dialog().getByText(/We asked your wallet to pay this caller/)).toBeTruthy();
    expect(buttonLabels()).toEqual(['Check this payment']);
  });

  it('warns before a wallet that signs alone about its warning', async () => {
    await connected();
    expect(
      dialog().getByText(/It may warn that this site asks for a signature without sending/),
    ).toBeTruthy();
  });
});
