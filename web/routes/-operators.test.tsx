import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OfferedAction, OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { type FakeRoutes } from '#web/testing/fake-api.ts';
import { click, expectNewTab, findAndClick, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { adaProfile, consoleSection, noProblems, signedInUser } from '#web/testing/samples.ts';

const AT = '2026-11-22T10:00:00.000Z';
const row = (parts: Partial<OperatorsRow> & Pick<OperatorsRow, 'id'>): OperatorsRow => ({
  title: `Title of ${parts.id}`,
  at: AT,
  text: `Text of ${parts.id}`,
  links: [],
  actions: [],
  ...parts,
});
const person = (...actions: OfferedAction[]): OperatorsPage => ({
  title: '@ada',
  badges: ['Suspended'],
  sections: [
    consoleSection('Account', {
      facts: [
        { name: 'Id', value: 'user-1' },
        { name: 'Public page', value: { to: 'profile', id: 'user-1', text: '@ada' } },
        { name: 'Operators’ actions', value: { to: 'audit', id: 'user-1', text: 'Audit' } },
      ],
      actions,
    }),
  ],
});

function openConsole(path: string, routes: FakeRoutes = {}) {
  return openApp(path, {
    'GET /api/auth/user': { ...signedInUser, isOperator: true },
    'GET /api/operators/now': noProblems,
    'GET /api/operators/audit': [],
    'POST /api/operators/actions': { isDone: true, message: 'It is done.' },
    ...routes,
  });
}

const open = (path: string, routes: FakeRoutes = {}) => openConsole(path, routes).calls;

it.each(['/operators', '/operators/audit', '/operators/person/user-1'])(
  'the page %s is a not-found page for other users',
  async (path) => {
    const calls = open(path, { 'GET /api/auth/user': signedInUser });
    await screen.findByRole('heading', { name: 'Page Not Found' });
    expect(calls.filter(({ route }) => route.includes('/operators/'))).toEqual([]);
  },
);

it('a page of the console that doesn’t exist is a not-found page for operators, too', async () => {
  open('/operators/nothing/here');
  await screen.findByRole('heading', { name: 'Page Not Found' });
});

it('the console begins with what users can’t do and the problems, with times in UTC, and a test of the alarms', async () => {
  const outage = { id: 'sign_in', title: 'Users can’t sign in.', text: 'What to do: Wait.' };
  const calls = open('/operators', {
    'GET /api/operators/now': {
      ...noProblems,
      sections: [
        consoleSection('What can’t users do now?', { rows: [row(outage)], problems: 1 }),
        consoleSection('Problems', { none: 'All money matches a payment.' }),
      ],
    },
    'POST /api/operators/test-alarm': { message: 'Telegram: sent. Browsers: sent.' },
  });
  const list = within(await screen.findByRole('list', { name: 'What can’t users do now?' }));
  for (const text of [outage.title, outage.text, '2026-11-22 10:00 UTC']) list.getByText(text);
  screen.getByText('All money matches a payment.');
  click('Send a test alarm');
  await expectToast('Test alarm', 'Telegram: sent. Browsers: sent.');
  expect(calls.some(({ route }) => route === 'POST /api/operators/test-alarm')).toBe(true);
});

it.each([
  [{ action: 'resolve_orphan', subjectId: 'lost', about: 'lost' }, 'Resolve', false],
  [{ action: 'pause', subjectId: 'payments', about: 'New payments' }, 'Pause', true],
  [{ action: 'add_note', subjectId: 'call-1', about: 'call of BONK' }, 'Add note', true],
  [{ action: 'hide_text', kind: 'bio', subjectId: 'user-1', about: 'bio of @ada' }, 'Hide text', false],
] as const)(
  'the console requires a reason for %s and says whether the reason is public',
  async (offered, label, isPublic) => {
    const calls = open('/operators/person/user-1', { 'GET /api/operators/person/user-1': person(offered) });
    const { about, ...body } = offered;
    fireEvent.click(await screen.findByRole('button', { name: `${label}: ${about}` }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByText(/Everybody can read it\./) !== null).toBe(isPublic);
    fireEvent.click(dialog.getByRole('button', { name: label }));
    await dialog.findByText('Give a reason of at least 3 characters.');
    const sent = () => calls.filter(({ route }) => route === 'POST /api/operators/actions');
    expect(sent()).toEqual([]);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
    fireEvent.click(dialog.getByRole('button', { name: label }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await screen.findByText('It is done.');
    expect(sent().map((call) => call.body)).toEqual([{ ...body, reason: 'They asked.' }]);
  },
);

it('the console asks for the handle before it deletes an account, and says what the person would see', async () => {
  const detail = 'Because of 2 paid subscribers, the account is deleted on 2026-12-24.';
  const offered = { action: 'delete_account', subjectId: 'user-1', about: '@ada', detail } as const;
  const calls = open('/operators/person/user-1', { 'GET /api/operators/person/user-1': person(offered) });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete account: @ada' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(detail);
  fireEvent.change(dialog.getByLabelText('Type @ada to confirm'), { target: { value: 'ada' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They asked.' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ route }) => route === 'POST /api/operators/actions')?.body).toEqual({
    action: 'delete_account',
    subjectId: 'user-1',
    handle: 'ada',
    reason: 'They asked.',
  });
});

it('a person’s page links to the public page and to the audit of this person', async () => {
  open('/operators/person/user-1', { 'GET /api/operators/person/user-1': person() });
  await screen.findByRole('heading', { name: '@ada Suspended' });
  const hrefOf = (name: string) =>
    screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'));
  expect(hrefOf('@ada')).toEqual(['/caller/user-1']);
  expect(hrefOf('Audit')).toContain('/operators/audit?subject=user-1');
});

it('a payment’s events link to the explorer', async () => {
  const explorer = { to: 'explorer', id: 'https://explorer.example/tx/5sig', text: '5sig' } as const;
  open('/operators/payment/5sig', {
    'GET /api/operators/payment/5sig': {
      title: 'Payment',
      badges: [],
      sections: [consoleSection('0.5 SOL', { rows: [row({ id: 'signed', links: [explorer] })] })],
    },
  });
  await screen.findByRole('heading', { name: 'Payment' });
  expectNewTab('5sig', explorer.id);
});

describe('the console’s search', () => {
  const found = (id: string) => row({ id, links: [{ to: 'person', id, text: `@${id}` }] });
  const search = async (results: readonly OperatorsRow[]) => {
    const { calls, router } = openConsole('/operators', {
      'GET /api/operators/search': results,
      'GET /api/operators/person/ada': person(),
    });
    const field = await screen.findByLabelText('Find a person, a payment or a call');
    fireEvent.change(field, { target: { value: ' ada ' } });
    fireEvent.submit(field);
    return { calls, router };
  };

  it('opens the page of the only thing that it finds', async () => {
    const { calls, router } = await search([found('ada')]);
    await screen.findByRole('heading', { name: '@ada Suspended' });
    expect(router.state.location.pathname).toBe('/operators/person/ada');
    expect(calls.find(({ route }) => route === 'GET /api/operators/search')?.search).toBe('?search=ada');
  });

  it('lists several things with their links', async () => {
    await search([found('ada'), found('adam')]);
    const list = within(await screen.findByRole('list', { name: 'Found' }));
    expect(textsOf(list.getAllByRole('link'))).toEqual(['@ada', '@adam']);
  });

  it('says that it found nothing', async () => {
    await search([]);
    await screen.findByText('Nothing found');
  });
});

it('the audit’s filter is in its address', async () => {
  const { calls, router } = openConsole('/operators/audit?subject=payments&action=pause', {
    'GET /api/operators/audit': [row({ id: 'entry' })],
  });
  await screen.findByRole('list', { name: 'Audit' });
  const queries = () => calls.flatMap(({ route, search }) => (route.endsWith('/audit') ? [search] : []));
  expect(queries()).toEqual(['?action=pause&subject=payments']);
  fireEvent.change(screen.getByLabelText('Operator'), { target: { value: 'noor' } });
  fireEvent.change(screen.getByLabelText('Action'), { target: { value: '' } });
  click('Filter');
  await waitFor(() => expect(queries().at(-1)).toBe('?operator=noor&subject=payments'));
  expect(router.state.location.search).toEqual({ subject: 'payments', operator: 'noor' });
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
