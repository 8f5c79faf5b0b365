import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type {
  OperatorsOverview,
  OperatorsPerson,
  PaymentHistory,
  PersonTelegram,
  Problem,
  ReportedThing,
} from '#schema/contracts/operators.ts';
import { deletedHandle } from '#schema/rules/people/person-name.ts';
import { type FakeRoutes } from '#web/testing/fake-api.ts';
import { click, expectNewTab, findAndClick, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { adaProfile, endedCall, noEvents, noProblems, quote, signedInUser } from '#web/testing/samples.ts';

const AT = '2026-11-22T10:00:00.000Z';
const problem = (id: string, ...actions: Problem['actions']): Problem => {
  return { id, title: `Title of ${id}`, at: AT, text: `Text of ${id}`, actions, count: 1 };
};
const full: OperatorsOverview = {
  ...noProblems,
  cronRanAt: AT,
  problems: {
    unreadable: [problem('newer', 'release_payment')],
    orphans: [problem('lost', 'resolve_orphan')],
    orphanPayers: [problem('stranger', 'resolve_small_orphans')],
    messages: [problem('f1', 'resend_event', 'dismiss_event')],
    jobs: [problem('prices.refresh')],
    ledgerChecks: [{ ...problem('2026-11-21'), count: 0 }],
  },
};

function open(path: string, routes: FakeRoutes = {}) {
  return openApp(path, {
    'GET /api/auth/user': { ...signedInUser, isOperator: true },
    'GET /api/operators/overview': noProblems,
    'GET /api/operators/audit': [],
    'POST /api/operators/actions': { isDone: true, message: 'It is done.' },
    ...routes,
  }).calls;
}

it('the operators’ console is a not-found page for other users', async () => {
  const calls = open('/operators', { 'GET /api/auth/user': signedInUser });
  await screen.findByRole('heading', { name: 'Page Not Found' });
  expect(calls.filter(({ route }) => route.includes('/operators/'))).toEqual([]);
});

it('the operators’ console says that there are no problems if there are none', async () => {
  open('/operators');
  await screen.findByText('There are no open reports.');
  for (const text of ['All money matches a payment.', 'All messages were sent.', 'All work.']) {
    expect(screen.getByText(text)).toBeDefined();
  }
  await screen.findByText('Every action appears here with its reason.');
});

it('the console begins with what users can’t do, the last alarms and a test of their channels', async () => {
  const calls = open('/operators', {
    'GET /api/operators/overview': {
      ...noProblems,
      outages: [
        { ability: 'sign_in', since: AT, effect: 'Users can’t sign in. X does not respond.', act: 'Wait.' },
      ],
      alarms: [{ at: AT, text: 'Users can’t sign in.\nWhat to do: Wait.' }],
    },
    'POST /api/operators/test-alarm': { message: 'Telegram: sent. Browsers: sent.' },
  });
  const list = await screen.findByRole('list', { name: 'What users can’t do' });
  expect(within(list).getByText('Users can’t sign in. X does not respond.')).toBeDefined();
  expect(within(list).getByText('What to do: Wait.')).toBeDefined();
  fireEvent.click(screen.getByText('Last alarms (1)'));
  expect(await screen.findByRole('list', { name: 'Last alarms' })).toBeDefined();
  click('Send a test alarm');
  await expectToast('Test alarm', 'Telegram: sent. Browsers: sent.');
  expect(calls.some(({ route }) => route === 'POST /api/operators/test-alarm')).toBe(true);
});

const person: OperatorsPerson = {
  id: 'user-1',
  xUserId: '7',
  handle: 'ada',
  name: 'Ada',
  isCaller: true,
  isVerified: false,
  isSuspended: false,
  isHidden: false,
  activeSessions: 1,
  payoutAddress: null,
  payoutChanges: [],
  texts: [],
  call: null,
};

const endQuote = { ...quote, side: 'end', price: '0.5', blockId: 7, liquidityUsd: 52_000 } as const;
const smallOnes = { action: 'resolve_small_orphans', subjectId: 'stranger' };
const withCall: OperatorsPerson = { ...person, call: { ...endedCall, ...noEvents, quotes: [endQuote] } };

it.each([
  ['Resolve: Title of lost, lost', 'Resolve', { action: 'resolve_orphan', subjectId: 'lost' }, false],
  ['Release: Title of newer, newer', 'Release', { action: 'release_payment', subjectId: 'newer' }, false],
  ['Resolve small ones: Title of stranger, stranger', 'Resolve small ones', smallOnes, false],
  ['Send again: Title of f1, f1', 'Send again', { action: 'resend_event', subjectId: 'f1' }, false],
  ['Dismiss: Title of f1, f1', 'Dismiss', { action: 'dismiss_event', subjectId: 'f1' }, false],
  ['Pause: New payments', 'Pause', { action: 'pause', subjectId: 'payments' }, true],
  ['Add note: call of BONK', 'Add note', { action: 'add_note', subjectId: endedCall.id }, true],
])(
  'the operators’ console requires a reason for "%s" and says whether the reason is public',
  async (button, confirm, body, isPublic) => {
    const calls = open('/operators?search=call-1', {
      'GET /api/operators/overview': full,
      'GET /api/operators/people': [withCall],
    });
    fireEvent.click(await screen.findByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByText(/Everybody can read it\./) !== null).toBe(isPublic);
    fireEvent.click(dialog.getByRole('button', { name: confirm }));
    await dialog.findByText('Give a reason of at least 3 characters.');
    const sent = () => calls.filter(({ route }) => route === 'POST /api/operators/actions');
    expect(sent()).toEqual([]);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    fireEvent.click(dialog.getByRole('button', { name: confirm }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent().map((call) => call.body)).toEqual([{ ...body, reason: 'They asked.' }]);
  },
);

describe('the actions on a caller', () => {
  const deleted = { handle: deletedHandle('user-1'), isSuspended: true };
  const ofCallers = ['Hide caller'];
  const ofAll = ['End all access', 'Delete account'];

  it.each([
    ['a caller', {}, ['Verify', 'Suspend', ...ofCallers, ...ofAll]],
    ['a suspended caller', { isSuspended: true }, ['Verify', 'End suspension', ...ofCallers, ...ofAll]],
    ['a deleted caller', deleted, ofCallers],
    ['a deleted account', { ...deleted, isCaller: false }, []],
  ])('the operators’ console offers only the actions that apply to %s', async (_, facts, actions) => {
    open('/operators?search=ada', { 'GET /api/operators/people': [{ ...person, ...facts }] });
    const list = within(await screen.findByRole('list', { name: 'People' }));
    expect(textsOf(list.queryAllByRole('button'))).toEqual(actions);
  });

  it.each([
    [false, ['Resolve reports', 'Suspend']],
    [true, ['Resolve reports']],
  ])(
    'the operators’ console offers Suspend only for a reported caller who isn’t suspended (suspended: %s)',
    async (isCallerSuspended, actions) => {
      const thing: ReportedThing = {
        kind: 'caller',
        subjectId: 'user-1',
        callerId: 'user-1',
        callerHandle: 'ada',
        isCallerSuspended,
        text: null,
        isWithheld: false,
        isTextHidden: false,
        count: 1,
        lastAt: AT,
        reports: [],
      };
      open('/operators', { 'GET /api/operators/overview': { ...noProblems, reported: [thing] } });
      const list = within(await screen.findByRole('list', { name: 'Reports' }));
      expect(textsOf(list.getAllByRole('button'))).toEqual(actions);
    },
  );
});

it('the operators’ search for an unknown payment says that none was found', async () => {
  const route = 'GET /api/operators/payments';
  const calls = open('/operators', { [route]: [] });
  fireEvent.change(await screen.findByLabelText('Find a payment'), { target: { value: ' nothing ' } });
  fireEvent.submit(screen.getByLabelText('Find a payment'));
  await screen.findByText('No payment found');
  expect(calls.find((call) => call.route === route)?.search).toBe('?search=nothing');
});

it('the payments of a person show their state, and their history with links to the transactions', async () => {
  const signature = '5'.repeat(88);
  const explorerUrl = `https://explorer.example/tx/${signature}`;
  const party = { id: 'user-1', handle: 'ada' };
  const common = { signature, explorerUrl, slot: null, period: null, note: null };
  const payment: PaymentHistory = {
    intent: {
      id: 'intent-1',
      reference: 'reference',
      subscriber: party,
      caller: { id: 'caller-1', handle: 'kenji' },
      sol: '0.5',
      callerAddress: 'payout',
      callerSol: '0.45',
      platformAddress: 'platform',
      platformSol: '0.05',
      expiresAt: AT,
    },
    state: 'unreadable',
    access: null,
    events: [{ ...common, at: AT, kind: 'unreadable' }],
  };
  const route = 'GET /api/operators/payments';
  const calls = open('/operators?search=ada', {
    'GET /api/operators/people': [person],
    [route]: [payment],
  });
  fireEvent.click(await screen.findByRole('link', { name: 'Payments of @ada' }));
  await screen.findByText(/^0\.5 SOL to @kenji, Landed, but can’t be read/);
  expect(calls.find((call) => call.route === route)?.search).toBe('?search=user-1');
  expectNewTab(signature, explorerUrl);
  screen.getByText('@ada (user-1)');
});

it('the operators’ console shows the reason for a pause and a Resume button', async () => {
  const paused = { kind: 'calls' as const, reason: 'A price source lies.', since: AT };
  open('/operators', { 'GET /api/operators/overview': { ...noProblems, pauses: [paused] } });
  const list = within(await screen.findByRole('list', { name: 'Pauses' }));
  list.getByText(/A price source lies\./);
  expect(textsOf(list.getAllByRole('button'))).toEqual(['Pause', 'Resume', 'Pause']);
});

it.each(['/', '/operators', '/nothing'])(
  'the page %s says what is paused and why, and what doesn’t work',
  async (path) => {
    open(path, {
      'GET /api/callers': [],
      'GET /api/status': {
        pauses: [{ kind: 'payments', reason: 'Solana is slow.', since: AT }],
        outages: [{ ability: 'calls', since: AT }],
      },
    });
    const banner = within(await screen.findByRole('region', { name: 'Status' }));
    banner.getByText('New payments are paused. Payments that you have sent still count.');
    banner.getByText('Solana is slow.');
    banner.getByText('Calls can’t be opened or ended at the moment. Active calls stay as they are.');
  },
);

it('a person’s card in the operators’ console shows what stops the person’s Telegram messages', async () => {
  const telegram: PersonTelegram = {
    chat: 'connected',
    connectedAt: AT,
    switchedOff: ['call_ended'],
    muted: ['ada'],
    messages: [{ kind: 'call_opened', at: AT, result: 'unreachable' }],
  };
  open('/operators?search=ada', {
    'GET /api/operators/people': [person],
    'GET /api/operators/people/user-1/telegram': telegram,
  });
  fireEvent.click(await screen.findByText('Telegram'));
  const messages = within(await screen.findByRole('list', { name: 'Last messages' }));
  messages.getByText(/call opened\. The chat blocks the bot or no longer exists$/);
  for (const text of [/^Connected since /, 'call ended', '@ada']) screen.getAllByText(text);
});

describe('reporting a caller', () => {
  const openReport = async (user: unknown, response?: unknown) => {
    const calls = open('/caller/ada', {
      'GET /api/callers/ada': adaProfile,
      'GET /api/auth/user': user,
      'POST /api/reports': response,
    });
    await findAndClick('Report this caller');
    return { calls, dialog: within(await screen.findByRole('dialog', {}, { timeout: 5_000 })) };
  };

  it('reporting a caller twice says that it has been reported already', async () => {
    const message = 'You have reported this already.';
    const { dialog } = await openReport(signedInUser, { isNew: false, message });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'scam' } });
    click('Send report');
    await expectToast('Already Reported', message);
  });

  it('reporting a caller asks visitors to sign in', async () => {
    const { dialog } = await openReport(null);
    dialog.getByText('Sign in to report this.');
  });
});
