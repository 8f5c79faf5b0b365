import { Transaction } from '@solana/web3.js';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DOCUMENT_VERSIONS } from '#schema/constants.ts';
import { fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { adaProfile, solPrice } from '#web/testing/samples.ts';
import { intentAnswer, landed, paidPeriod, SIGNATURE } from './payment-test-doubles.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import {
  click,
  connect,
  free,
  goodApi,
  inTurn,
  openDialog,
  paid,
  payer,
  route,
  signingWallet,
  subscription,
  TITLE,
} from './subscribe-test-doubles.tsx';

const expired = () => refuse(409, 'payments.expired', 'Expired.');
const missing = () => refuse(422, 'payments.intent_missing', 'Unknown.');

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the note about a look-alike', () => {
  const profile = {
    ...adaProfile,
    lookAlike: { ...paid, id: 'caller-9', twitterHandle: 'amara_calls', isVerified: true },
  };
  const api = { [`GET /api/callers/${paid.id}`]: profile };

  it('stays until the user pays', async () => {
    openDialog(paid, api);
    await screen.findByText('Not @amara_calls.');
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    expect(screen.getByText('Not @amara_calls.')).toBeDefined();
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
    expect(screen.queryByText('Not @amara_calls.')).toBeNull();
  });

  it('closes the dialog when its link is followed', async () => {
    const { onOpenChange } = openDialog(free, api);
    fireEvent.click(await screen.findByRole('link', { name: 'Ada Byron (@amara_calls)' }));
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  });
});

describe('accepting the terms', () => {
  const ACCEPT = 'POST /api/user/acceptances';
  const mustAccept = { id: 'user-1', mustAcceptTerms: true };
  const tick = async () =>
    fireEvent.click(await screen.findByRole('checkbox', { name: /^I have read and accept/ }));

  it('comes before the wallet is chosen, and needs a tick', async () => {
    const { calls } = openDialog(paid, {
      'GET /api/auth/user': mustAccept,
      [ACCEPT]: { id: 'user-1', mustAcceptTerms: false },
    });
    const proceed = await screen.findByRole<HTMLButtonElement>('button', { name: 'Continue' });
    expect(proceed.disabled).toBe(true);
    expect(screen.queryByRole('button', { name: /^Local Wallet/ })).toBeNull();
    await tick();
    await click('Continue');
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    expect(calls.find((call) => call.route === ACCEPT)?.body).toEqual(DOCUMENT_VERSIONS);
  });

  it('is asked for if the terms have changed since the page was opened, and then the payment goes on', async () => {
    let user: object = { id: 'user-1' };
    openDialog(paid, {
      'GET /api/auth/user': () => user,
      [ACCEPT]: { id: 'user-1', mustAcceptTerms: false },
      [route.intent]: inTurn(() => {
        user = mustAccept;
        return refuse(409, 'terms.not_accepted', 'Accept the terms first.');
      }, intentAnswer),
    });
    await connect();
    await tick();
    await click('Continue');
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
  });

  it("isn't needed to follow a Free caller", async () => {
    openDialog(free, { 'GET /api/auth/user': mustAccept });
    await screen.findByRole('button', { name: 'Subscribe for free' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

describe('subscribing to a Free caller', () => {
  it('[4.14, 8.45] goes from the connect step to the complete step without a wallet', async () => {
    const { routes, onSubscribed } = openDialog(free);
    await click('Subscribe for free');
    await screen.findByText('You are subscribed to Ada Byron.');
    // Signed-in users see a Free caller's active calls without subscribing.
    expect(document.body.textContent).not.toContain('active calls');
    expect(screen.getByText('Their calls now appear on your dashboard.')).toBeDefined();
    await expectToast('Free Subscription Activated!');
    expect(onSubscribed).toHaveBeenCalledOnce();
    expect(routes().filter((route) => route.includes('solana'))).toEqual([]);
  });

  it('[4.15, 8.19] returns to the connect step when subscribing fails', async () => {
    openDialog(free, { 'POST /api/subscriptions/free': () => new Response('', { status: 500 }) });
    await click('Subscribe for free');
    await expectToast('Subscription Failed', 'Failed to create free subscription.');
    expect(screen.getByRole('button', { name: 'Subscribe for free' })).toBeDefined();
  });

  it('says that the browser is offline', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    openDialog(free, {
      'POST /api/subscriptions/free': () => {
        throw new TypeError('Failed to fetch');
      },
    });
    await click('Subscribe for free');
    await expectToast('Subscription Failed', "You're offline. Check your connection and try again.");
    onLine.mockRestore();
  });
});

describe('subscribing to a Paid caller', () => {
  it('[4.11, 4.16, 6.10, 9.7] shows exactly what will be paid before anything is signed', async () => {
    const { routes } = openDialog(paid);
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    const { intent } = intentAnswer();
    for (const text of [
      '0.9000 SOL',
      '90%',
      intent.callerAddress,
      '0.1000 SOL',
      '10%',
      intent.platformAddress,
      '1.0000 SOL',
      /^30 days/,
      /0\.000005 SOL/,
    ]) {
      expect(screen.getByText(text)).toBeDefined();
    }
    expect(routes()).not.toContain('POST /api/solana/send-transaction');
  });

  it('shows what the fee and each amount are worth in dollars', async () => {
    openDialog(paid, { 'GET /api/prices/sol': solPrice('150') });
    await screen.findByText(/^The fee is 1 SOL \(≈ \$150\.00\) for 30 days/);
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    for (const text of ['≈ $135.00', '≈ $15.00', '≈ $150.00', '< $0.01']) {
      expect(screen.getByText(text)).toBeDefined();
    }
  });

  it('[2.147, 4.13, 4.17, 8.44] pays, claims and ends with a receipt', async () => {
    const { calls, onSubscribed } = openDialog(paid);
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
    await expectToast('Subscription Successful!');
    expect(onSubscribed).toHaveBeenCalledWith(subscription);
    const sent = calls.find(({ route }) => route === 'POST /api/solana/send-transaction')?.body as {
      transaction: string;
    };
    const transaction = Transaction.from(
      Uint8Array.from(atob(sent.transaction), (character) => character.charCodeAt(0)),
    );
    expect(transaction.verifySignatures()).toBe(true);
    expect(transaction.feePayer?.equals(payer.publicKey)).toBe(true);
    const claim = calls.find(({ route }) => route === 'POST /api/subscriptions')?.body;
    expect(claim).toMatchObject({
      callerId: 'caller-1',
      monthlyFee: '1',
      platformFee: '0.1',
      totalAmount: '1',
    });
    const { transactionId } = claim as { transactionId: string };
    expect(screen.getByRole('link', { name: 'View receipt' }).getAttribute('href')).toBe(
      `/payments/${transactionId}`,
    );
  });

  it('[4.12, 4.17] names the running step in a live region', async () => {
    let sign = () => {};
    openDialog(
      paid,
      {},
      signingWallet(() => new Promise((resolve) => (sign = resolve as () => void))),
    );
    await connect();
    await click('Pay 1.0000 SOL');
    await waitFor(() =>
      expect(
        screen.getByText(/Step 2 of 5: Sign with Local Wallet/).closest('[aria-live="polite"]'),
      ).not.toBeNull(),
    );
    expect(screen.getByText("Keep this tab open until you've signed.")).toBeDefined();
    expect(screen.queryByText(/can close/)).toBeNull();
    sign();
    await screen.findByText('Receipt');
  });

  it('ignores Escape and clicks outside while paying, and shows the running payment when the dialog is reopened', async () => {
    let sign = () => {};
    const { show, onOpenChange } = openDialog(
      paid,
      {},
      signingWallet(() => new Promise((resolve) => (sign = resolve as () => void))),
    );
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText(/Step 2 of 5: Sign with Local Wallet/);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(onOpenChange).not.toHaveBeenCalled();
    await click('Close');
    expect(onOpenChange).toHaveBeenCalledWith(false);
    show(false);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    show(true);
    await screen.findByText(/Step 2 of 5: Sign with Local Wallet/);
    sign();
    await screen.findByText('Receipt');
  });

  it('shows after reopening why a payment failed while the dialog was closed', async () => {
    let decline = (_error: unknown) => {};
    const { show } = openDialog(
      paid,
      {},
      signingWallet(() => new Promise((_resolve, reject) => (decline = reject))),
    );
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText(/Step 2 of 5/);
    show(false);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const reason = 'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.';
    decline(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
    await expectToast('Payment failed', reason);
    show(true);
    const dialog = within(await screen.findByRole('dialog', { name: TITLE }));
    expect((await dialog.findByRole('alert')).textContent).toBe(reason);
  });

  it('[4.18] returns to the confirm step when the user declines, and can pay after that', async () => {
    const decline = vi.fn(async () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
    });
    const { routes } = openDialog(
      paid,
      {},
      signingWallet(() => (decline.mock.calls.length === 0 ? decline() : Promise.resolve())),
    );
    await connect();
    await click('Pay 1.0000 SOL');
    await expectToast(
      'Payment failed',
      'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.',
    );
    expect(routes()).not.toContain('POST /api/solana/send-transaction');
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
  });

  it('[8.17] stays at the connect step when the wallet does not connect', async () => {
    const { wallet } = fakeStandardWallet({ name: 'Local Wallet', accounts: [] });
    openDialog(paid, {}, wallet);
    await connect();
    await expectToast('Connection failed', 'Failed to connect to wallet. Please try again.');
    expect(screen.getByRole('list', { name: 'Wallets' })).toBeDefined();
  });

  it('shows why the payment cannot be prepared', async () => {
    openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () =>
        refuse(422, 'payments.amount_under_rent', 'This payment cannot land.'),
    });
    await connect();
    expect(
      (await within(await screen.findByRole('dialog', { name: TITLE })).findByRole('alert')).textContent,
    ).toBe('This payment cannot land. Only Ada Byron can fix this. Nothing was paid.');
    expect(screen.getByRole('button', { name: 'Prepare the payment again' })).toBeDefined();
  });

  it('warns when the fee has changed since the page was opened', async () => {
    openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () => intentAnswer({ total: 2_000_000_000n }),
    });
    await connect();
    await screen.findByRole('button', { name: 'Pay 2.0000 SOL' });
    expect(screen.getByText(/The fee has changed since you opened this page/)).toBeDefined();
  });

  it("sends the connected wallet's address and shows its balance", async () => {
    const { calls } = openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () => ({ ...intentAnswer(), payerLamports: '2500000000' }),
    });
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    expect(calls.find(({ route }) => route.endsWith('get-latest-blockhash'))?.body).toEqual({
      callerId: paid.id,
      payerAddress: payer.publicKey.toBase58(),
    });
    expect(screen.getByText('Balance').nextElementSibling?.textContent).toBe('2.5000 SOL');
  });

  it('shows the network fee that the payment offers, before signing', async () => {
    openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () => intentAnswer({ microLamports: 250_000n }),
    });
    await connect();
    const fee = (await screen.findByText('Network fee')).nextElementSibling?.textContent;
    expect(fee).toContain('about 0.000055 SOL extra');
    expect(fee).toContain('0.000005 SOL base fee and 0.00005 SOL for a fast confirmation');
  });

  it('disables Pay until a balance check finds enough SOL', async () => {
    let payerLamports = '1000000000';
    openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () => ({ ...intentAnswer(), payerLamports }),
    });
    await connect();
    expect(
      (await within(await screen.findByRole('dialog', { name: TITLE })).findByRole('alert')).textContent,
    ).toBe('You need 0.000015 SOL more, including the network fee.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pay 1.0000 SOL' }).disabled).toBe(true);
    payerLamports = '1000905880';
    await click('Check balance again');
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pay 1.0000 SOL' }).disabled).toBe(false),
    );
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('pays with a new blockhash after the first one has expired', async () => {
    const blockhashes = [
      'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
      '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn',
    ];
    const used: string[] = [];
    openDialog(paid, {
      'POST /api/solana/get-latest-blockhash': () => ({
        ...intentAnswer(),
        result: { value: { blockhash: blockhashes.shift(), lastValidBlockHeight: 1 } },
      }),
      'POST /api/solana/send-transaction': (body: { transaction: string }) => {
        used.push(
          String(
            Transaction.from(Uint8Array.from(atob(body.transaction), (character) => character.charCodeAt(0)))
              .recentBlockhash,
          ),
        );
        return used.length === 1 ? refuse(409, 'payments.blockhash_expired', 'x') : { result: SIGNATURE };
      },
      [route.confirm]: inTurn(expired, landed),
    });
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText('Signing took too long. Nothing was paid. Press Pay again.');
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
    expect(new Set(used).size).toBe(2);
  });

  it('completes without a payment when another tab has paid', async () => {
    const { onOpenChange, onSubscribed, routes } = openDialog(paid, {
      [route.send]: () => refuse(409, 'payments.intent_paid', 'This payment has been made already.'),
      [route.confirm]: missing,
      [route.periods]: inTurn([], [paidPeriod('theirs')]),
    });
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText('You are subscribed to Ada Byron.');
    expect(onSubscribed).toHaveBeenCalledOnce();
    expect(routes()).not.toContain(route.claim);
    await click('Done');
    expect(onOpenChange).toHaveBeenCalledWith(false);
  });

  it("resumes another tab's payment instead of asking the wallet", async () => {
    const sign = vi.fn(async () => undefined as never);
    openDialog(paid, {}, signingWallet(sign));
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    const other = {
      callerId: paid.id,
      intent: intentAnswer().intent,
      signature: SIGNATURE,
      transaction: 'AQID',
      openedAt: Date.now(),
      hasLanded: false,
    };
    localStorage.setItem(`solcallers.payment.user-1.${paid.id}`, JSON.stringify(other));
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
    expect(sign).not.toHaveBeenCalled();
  });

  it('shows that the new period starts after the current access, even if only the server knows about that access', async () => {
    openDialog(
      { ...paid, accessEndsAt: null },
      { [route.periods]: [paidPeriod('old', '2099-06-15T12:00:00.000Z')] },
    );
    await connect();
    expect(
      await screen.findByText('30 days, starting when your current access ends on Jun 15, 2099'),
    ).toBeDefined();
  });

  it.each([
    ['without earlier access', undefined, /^30 days, until \w{3} \d+, \d{4}$/],
    ['after the earlier access ended', '2020-01-31T00:00:00.000Z', /^30 days, until \w{3} \d+, \d{4}$/],
    [
      'on top of current access',
      '2099-06-15T12:00:00.000Z',
      '30 days, starting when your current access ends on Jun 15, 2099',
    ],
  ])('shows the access period %s', async (_what, accessEndsAt, text) => {
    openDialog({ ...paid, accessEndsAt }, { [route.periods]: () => refuse(502, 'chain.unavailable', 'x') });
    await connect();
    expect(await screen.findByText(text)).toBeDefined();
  });

  it("[8.18] shows a failure's reason in the dialog but not in the toast", async () => {
    const message = 'Failed to send transaction: no.';
    openDialog(paid, {
      [route.send]: () => refuse(422, 'payments.rejected_by_chain', message),
      [route.confirm]: expired,
    });
    await connect();
    await click('Pay 1.0000 SOL');
    await expectToast('Payment failed');
    expect(screen.getAllByText(new RegExp(message))).toHaveLength(1);
  });

  it('[4.18, 8.16] offers to finish the subscription when the claim fails', async () => {
    openDialog(paid, {
      'POST /api/subscriptions': () =>
        refuse(422, 'payments.wrong_amount', 'The amount is not the one agreed.'),
    });
    await connect();
    await click('Pay 1.0000 SOL');
    await expectToast('Subscription failed');
    expect(await screen.findByText(/The amount is not the one agreed/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Finish the subscription' })).toBeDefined();
    expect(screen.queryByText('Receipt')).toBeNull();
  });

  it.each([
    [
      'sent',
      { [route.send]: () => new Response('', { status: 422 }), [route.confirm]: missing },
      'Payment failed',
      /Failed to send transaction/,
    ],
    [
      'confirmed',
      { [route.confirm]: () => new Response('', { status: 404 }) },
      'Payment not confirmed yet',
      /Failed to confirm transaction/,
    ],
    [
      'accepted by the chain',
      {
        [route.confirm]: {
          result: { value: [{ err: { InstructionError: [0, 'x'] }, confirmationStatus: 'confirmed' }] },
        },
      },
      'Payment failed',
      /Transaction failed on blockchain/,
    ],
  ])(
    '[4.18, 8.10-8.12, 8.18] returns to the confirm step with the reason when the transaction is not %s',
    async (_what, api, toast, text) => {
      openDialog(paid, api);
      await connect();
      await click('Pay 1.0000 SOL');
      await expectToast(toast);
      expect(
        (await within(await screen.findByRole('dialog', { name: TITLE })).findByRole('alert')).textContent,
      ).toMatch(text);
      expect(screen.queryByText('Receipt')).toBeNull();
      expect(screen.queryByRole('list', { name: 'Wallets' })).toBeNull();
    },
  );

  it('[4.10, 4.19] starts at the connect step each time the dialog opens', async () => {
    const { show } = openDialog(paid);
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    show(false);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull());
    show(true);
    await screen.findByRole('button', { name: 'Continue with this wallet' });
    expect(screen.queryByRole('button', { name: 'Pay 1.0000 SOL' })).toBeNull();
  });

  it('offers no payment when the caller has no payout wallet', async () => {
    openDialog({ ...paid, canBeSubscribed: false });
    await screen.findByText(/hasn't connected a payout wallet/);
    expect(screen.queryByRole('list', { name: 'Wallets' })).toBeNull();
  });
});

describe('a closed subscribe dialog', () => {
  it("leaves the focus on the page's heading if the button that opened it is gone", async () => {
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
    await screen.findByRole('button', { name: 'Subscribe for free' });
    rerender(page(true, false));
    rerender(page(false, false));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Ada Byron'));
  });
});

describe('a signed-out user who opens the dialog', () => {
  it('[6.8] is asked to sign in', async () => {
    openDialog(paid, { 'GET /api/auth/user': () => refuse(401, 'auth.required', 'Unauthorized') });
    const link = await screen.findByRole('link', { name: 'Sign in with Twitter' });
    expect(link.getAttribute('href')).toBe('/api/auth/twitter');
  });
});
