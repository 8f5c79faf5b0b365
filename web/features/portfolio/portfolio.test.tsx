import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerResults } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { refuse, signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import { findAndClick, findRows, findSection, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import {
  ada,
  adaProfile,
  callerResults,
  copiedCall,
  profileApi,
  solPrice,
  signedInUser,
} from '#web/testing/samples.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const follow = (more: Partial<PaperFollow> = {}): PaperFollow => ({
  caller: ada,
  amountUsd: 100,
  since: daysAgo(25),
  ...more,
});
const bob = { ...ada, id: 'caller-2', firstName: 'Bob', lastName: 'Stone', isVerified: false };
const cy = { ...ada, id: 'caller-3', firstName: 'Cy', lastName: 'Low', isVerified: false };

/** The oldest was made before the follow. */
const CALLS = [copiedCall(10, '1.12'), copiedCall(20, '0.5'), copiedCall(40, '9')];
const RESULTS = {
  'caller-1': callerResults(CALLS),
  'caller-2': callerResults([copiedCall(5, '2', { id: 'bob', end: null, tokenSymbol: 'WIF' })]),
  'caller-3': callerResults([copiedCall(3, '1.2', { id: 'cy', tokenSymbol: 'BONK' })]),
};
/** The results of the callers that the request names. */
const results =
  (all: Partial<Record<string, CallerResults>> = RESULTS) =>
  (_body: unknown, query: URLSearchParams) =>
    query
      .get('callers')
      ?.split(',')
      .flatMap((id) => (all[id] ? [{ caller: { ...ada, id }, ...all[id] }] : []));

const open = (follows: unknown, routes: FakeRoutes = {}) =>
  openApp('/portfolio', {
    'GET /api/auth/user': signedInUser,
    'GET /api/paper-follows': follows,
    'GET /api/results': results(),
    ...routes,
  });
/** The callers' rows, once their results have loaded. */
const rows = async () => {
  await findSection('Ended calls');
  return textsOf(screen.getAllByRole('listitem')).filter((text) => text.includes('Since'));
};

describe('the portfolio', () => {
  it('the portfolio shows each caller’s result and money needed, and the total result', async () => {
    open([follow(), follow({ caller: bob, amountUsd: 1_000, since: daysAgo(31) })]);
    // 0.997² × 1.12 = 1.11329 and 0.997² × 0.5 = 0.497004: +11.33 and -50.30. Bob has no price of SOL yet.
    expect(await rows()).toEqual([
      expect.stringMatching(
        /Ada Byron-\$39Since .*: 2 ended calls, needed up to \$151\. No call is open\.Paper: \$100 per call$/,
      ),
      expect.stringMatching(
        /Bob Stone\$0Since .*: 0 ended calls, needed up to \$0\. No call is open\.Paper: \$1,000 per call$/,
      ),
    ]);
    expect(screen.getByRole('heading', { level: 2, name: /^Paper: -\$39 since / })).toBeDefined();
  });

  it('the portfolio subtracts a Paid caller’s fee', async () => {
    open([follow()], { 'GET /api/results': results({ 'caller-1': callerResults(CALLS, '0.5') }) });
    // 0.5 SOL at 90 USD.
    expect((await rows())[0]).toMatch(
      /-\$84Since .*: 2 ended calls, \$45 fees, needed up to \$196\. No call is open\.Paper: \$100 per call$/,
    );
  });

  it('the portfolio lists ended calls, newest first, with the result on paper if the follow has an amount', async () => {
    open([follow(), follow({ caller: bob }), follow({ caller: cy, amountUsd: null })]);
    expect(textsOf(await findRows('Ended calls'))).toEqual([
      'BONKCy Low+20.0%–2d ago',
      'WIFBob Stone+100.0%no price4d ago',
      'JUPAda Byron+12.0%+$11.339d ago',
      'JUPAda Byron-50.0%-$50.3019d ago',
    ]);
    expect(hrefOf('BONK')).toBe('/call/cy');
    const curve = screen.getByRole('figure', { name: 'Gains and fees on paper' });
    expect(curve.querySelector('figcaption')?.textContent).toMatch(/-\$39/);
    expect((await rows()).at(-1)).toMatch(/Cy LowSince [^:]*Paper: no amount$/);
  });

  it('the portfolio links to the directory if the user follows nobody on paper', async () => {
    open([]);
    await screen.findByText('No callers on paper');
    expect(hrefOf('Find callers')).toBe('/');
  });

  it('the portfolio says that open calls count when they end', async () => {
    open([follow({ since: daysAgo(1) })]);
    await screen.findByText(/Open calls count once they end/);
    expect((await rows())[0]).toMatch(/\$0Since .*: 0 ended calls/);
  });

  it('the portfolio shows no total if the results of a caller fail to load', async () => {
    open([follow(), follow({ caller: bob })], {
      'GET /api/results': results({ 'caller-1': RESULTS['caller-1'] }),
    });
    await screen.findByText('Failed to load the results.');
    expect(screen.getByRole('heading', { level: 2, name: 'Paper' })).toBeDefined();
    expect(await findRows('Ended calls')).toHaveLength(2);
  });

  it('the portfolio asks for all results once, since the first day, and shows the callers until they arrive', async () => {
    const asked = Promise.withResolvers<unknown>();
    const { calls } = open([follow(), follow({ caller: bob })], { 'GET /api/results': () => asked.promise });
    expect(await screen.findByText('Bob Stone')).toBeDefined();
    expect(screen.queryByText('Failed to load the results.')).toBeNull();
    expect(calls.flatMap(({ route, search }) => (route === 'GET /api/results' ? [search] : []))).toEqual([
      `?callers=caller-1%2Ccaller-2&since=${daysAgo(25).slice(0, 10)}`,
    ]);
    asked.resolve(refuse(503, 'server.error', 'Later.'));
  });

  it('the portfolio redirects a visitor to the directory', async () => {
    const { address } = openApp('/portfolio', { 'GET /api/auth/user': signedOut, 'GET /api/callers': [] });
    await waitFor(() => expect(address()).toBe('/'));
  });
});

describe('following on paper from a profile', () => {
  const openProfile = (routes: FakeRoutes = {}) =>
    openApp('/caller/ada', {
      ...profileApi,
      'GET /api/auth/user': signedInUser,
      'GET /api/prices/sol': solPrice('150'),
      'GET /api/paper-follows': [],
      ...routes,
    });

  it('following on paper shows the server’s reason for a refusal', async () => {
    openProfile({
      'PUT /api/paper-follows/caller-1': () => refuse(422, 'paper_follows.too_many', 'Remove one first.'),
    });
    await findAndClick('Paper');
    await screen.findByLabelText('Amount per call');
    fireEvent.submit(document.querySelector('form') ?? document.body);
    await screen.findByText('Remove one first.');
  });

  it('callers have no Follow on paper button on their own profile', async () => {
    openProfile({
      'GET /api/callers/ada': { ...adaProfile, viewer: { ...adaProfile.viewer, isOwner: true } },
    });
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: 'Paper' })).toBeNull();
  });
});
