import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerProfile, CallerResults, CopiedCall } from '#schema/contracts/callers.ts';
import { click, findSection, sectionOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { seeEverything } from '#web/testing/seeing-observer.ts';
import {
  adaProfile,
  callerResults,
  copiedCall,
  profileApi,
  solPrice,
  signedInUser,
} from '#web/testing/samples.ts';

const TITLE = 'What would I have made?';

beforeEach(seeEverything);

const CALLS = [copiedCall(40, '2'), copiedCall(20, '0.5'), copiedCall(10, '1.2', { end: null })];

const open = (
  calls: readonly CopiedCall[],
  caller: Partial<CallerProfile> = {},
  more: Partial<CallerResults> = {},
) =>
  openApp('/caller/ada', {
    ...profileApi,
    'GET /api/callers/ada': { ...adaProfile, ...caller },
    'GET /api/callers/caller-1': adaProfile,
    'GET /api/callers/caller-1/results': callerResults(calls, caller.monthlyFee, more),
    'GET /api/prices/sol': solPrice('150'),
    'GET /api/auth/user': signedInUser,
  });

const paid = { monthlyFee: '0.5', canBeSubscribed: true };

describe('the calculator on a profile', () => {
  it('the calculator shows the gain, the money needed and the result of holding SOL instead', async () => {
    open(CALLS, { monthlyFee: null });
    await screen.findByText(/^With \$100 per call since/);
    // 0.997² × 2 = 1.988018 and 0.997² × 0.5 = 0.497004: +98.80 and -50.30.
    expect(sectionOf(TITLE).textContent).toMatch(
      /: \+\$49\. You would have needed up to \$100: a return of \+48\.5%\. Holding SOL instead: -\$20\./,
    );
    const chart = await screen.findByRole('figure', { name: 'Gains and fees with $100 per call' });
    expect(chart.querySelector('figcaption')?.textContent).toMatch(/ Holding SOL instead: -\$20 on .+\.$/);
    expect(sectionOf(TITLE).textContent).toContain('2 ranked calls, each bought and sold one minute late');
    expect(sectionOf(TITLE).textContent).toContain('1 call left out: there is no price.');
  });

  it('the calculator subtracts a Paid caller’s fee for each period', async () => {
    open(CALLS, paid);
    await screen.findByText(/^With \$100 per call since/);
    // 0.5 SOL at 90 USD, twice.
    expect(sectionOf(TITLE).textContent).toMatch(/: -\$41, \$90 in fees included\./);
    expect(sectionOf(TITLE).textContent).toContain('Before fees+$49');
  });

  it('the calculator recalculates when amount or day change, and explains an invalid amount or day', async () => {
    open(CALLS, { monthlyFee: null });
    const amount = await screen.findByLabelText('Amount per call');
    fireEvent.change(amount, { target: { value: '1000' } });
    await screen.findByText(/^With \$1,000 per call since/);
    expect(sectionOf(TITLE).textContent).toContain('+$485');
    const day = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10);
    fireEvent.change(screen.getByLabelText('Since'), { target: { value: day } });
    await screen.findByText('-$503', { selector: 'strong > span' });
    fireEvent.change(amount, { target: { value: '1.5' } });
    await screen.findByText('Enter a whole amount from $1 to $100,000.');
    fireEvent.change(screen.getByLabelText('Since'), { target: { value: '2999-01-01' } });
    await screen.findByText('Choose a day up to today.');
  });

  it('the calculator charges the fee of each time, and says how many calls are open', async () => {
    const until = new Date(Date.now() - 35 * DAY_MS).toISOString();
    const fees = [
      { monthlyFee: '0.5', until },
      { monthlyFee: '0.01', until: null },
    ];
    open(CALLS, { monthlyFee: '0.01' }, { fees, openCalls: { count: 3, since: '2026-11-04' } });
    await screen.findByText(/^With \$100 per call since/);
    // 0.5 and 0.01 SOL at 90 USD.
    expect(sectionOf(TITLE).textContent).toContain(', $46 in fees included');
    expect(sectionOf(TITLE).textContent).toContain(
      '3 calls are open, the oldest since November 4. Open calls don’t count.',
    );
  });

  it('the calculator says that there is nothing to calculate without a ranked call', async () => {
    open([]);
    await findSection(TITLE);
    await screen.findByText('Nothing to calculate yet');
  });
});

describe('the fee in the payment dialog', () => {
  const openDialog = async () => {
    await screen.findByRole('heading', { level: 1 });
    click('Subscribe');
    await screen.findByText('Choose a wallet to pay from', {}, { timeout: 5_000 });
  };

  it('the payment dialog says what was left after the fee', async () => {
    open([], paid);
    await openDialog();
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText('+$43 a month after the fee');
    dialog.getByText(/^with \$100 per call\. Holding SOL: -\$19\. /);
    fireEvent.click(dialog.getByRole('radio', { name: '$10k' }));
    dialog.getByText(/^with \$10,000 per call\. /);
    // The profile behind the dialog has the same amount.
    expect(screen.getAllByText(/^with \$10,000 per call\. /)).toHaveLength(2);
  });
});
