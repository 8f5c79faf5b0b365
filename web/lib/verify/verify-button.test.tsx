import { useInfiniteQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { callersQuery } from '#web/api/callers.queries.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaListed } from '#web/testing/samples.ts';
import type { Verdict } from '#verify/verify.ts';
import { VerifyLeaderboard } from './verify-button.tsx';
import { VerifyRecord } from './verify-record.tsx';
import type { CheckState } from './verifier.worker.ts';

const ENDPOINT = 'https://rpc.example';
const verified: Verdict = {
  outcome: 'verified',
  headlines: ['18 calls. None missing, none changed.', '1 call is still sealed.'],
  failures: [],
  checked: ['Every entry of the log'],
  notes: ['Prices'],
  key: 'log.example+1+key',
  wallet: 'AnchorWallet1',
};

const differing = {
  reason: 'call_differs',
  meaning: 'Don’t rely on this record.',
  message: 'Call 3.',
} as const;

/** A fake of the verifier's thread. The test sends its messages. */
class FakeWorker extends EventTarget {
  static started: FakeWorker[] = [];
  readonly received: unknown[] = [];
  isTerminated = false;
  constructor() {
    super();
    FakeWorker.started.push(this);
  }
  postMessage(message: unknown) {
    this.received.push(message);
  }
  terminate() {
    this.isTerminated = true;
  }
  show(state: CheckState) {
    act(() => void this.dispatchEvent(new MessageEvent('message', { data: state })));
  }
}

const button = (name: string) => screen.getByRole('button', { name });
const thread = () => {
  const worker = FakeWorker.started.at(-1);
  if (!worker) throw new Error('No check has started.');
  return worker;
};

beforeEach(() => {
  FakeWorker.started = [];
  vi.stubGlobal('Worker', FakeWorker);
  document.head.innerHTML = `<meta name="log-rpc" content="${ENDPOINT}" />`;
});

async function open(title = 'Verify this record') {
  fireEvent.click(button(title));
  return within(await screen.findByRole('dialog', { name: title }));
}

async function startRecord() {
  renderScreen(<VerifyRecord callerId="caller-1" />);
  const dialog = await open();
  fireEvent.click(dialog.getByRole('button', { name: 'Verify' }));
  return dialog;
}

it('“Verify this record” shows the headlines of the verdict, and its collapsed details', async () => {
  const dialog = await startRecord();
  thread().show({ kind: 'verdict', verdict: verified });
  expect(dialog.getByText('Verified')).toBeTruthy();
  expect(document.querySelector('.text-gain')).not.toBeNull();
  for (const headline of verified.headlines) expect(dialog.getByText(headline)).toBeTruthy();
  const details = dialog.getByText('Details').closest('details');
  expect(details?.open).toBe(false);
  for (const text of ['Every entry of the log', 'Prices', /log\.example\+1\+key/, /AnchorWallet1/]) {
    expect(details?.textContent).toMatch(text);
  }
});

it('“Verify this record” explains failures of the same kind once, above their list', async () => {
  const dialog = await startRecord();
  const failures = [differing, { ...differing, message: 'Call 4.' }];
  thread().show({ kind: 'verdict', verdict: { ...verified, outcome: 'failed', failures } });
  expect(dialog.getByText('Not verified')).toBeTruthy();
  expect(dialog.getByRole('list', { name: 'Problems' }).textContent).toBe(
    'Don’t rely on this record.Call 3.Call 4.',
  );
});

it.each([
  [
    'the site doesn’t respond',
    { outcome: 'unavailable', failures: [{ reason: 'unavailable', meaning: 'a', message: 'b' }] },
    "Couldn't check",
  ],
  ['nobody outside has confirmed the record', { outcome: 'unconfirmed' }, 'Not confirmed'],
  ['responses are newer than the log', { outcome: 'later' }, 'Check again in some minutes'],
  ['a new key isn’t trusted', { outcome: 'untrusted' }, 'Not confirmed'],
] as const)('“Verify this record” gives no verdict if %s', async (_case, change, title) => {
  const dialog = await startRecord();
  thread().show({ kind: 'verdict', verdict: { ...verified, ...change } });
  expect(dialog.getByText(title)).toBeTruthy();
  expect(dialog.queryByText(/erified$/)).toBeNull();
  expect(document.querySelector('.text-gain')).toBeNull();
});

it.each<[string, Partial<Verdict>]>([
  ['Verified', {}],
  ['Not verified', { outcome: 'failed', failures: [differing] }],
  ['Not confirmed', { outcome: 'unconfirmed' }],
])('the last result is shown beside “Verify this record”, also after a reload: %s', async (text, change) => {
  const dialog = await startRecord();
  thread().show({ kind: 'verdict', verdict: { ...verified, ...change } });
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  const line = async () => (await screen.findByText('Just now')).parentElement?.textContent;
  expect(await line()).toBe(`${text} Just now`);
  cleanup();
  renderScreen(<VerifyRecord callerId="caller-1" />);
  expect(await line()).toBe(`${text} Just now`);
});

it('“Verify this record” asks whether to trust a new key, and checks again if the visitor does', async () => {
  const dialog = await startRecord();
  expect(thread().received).toMatchObject([{ isNewKeyTrusted: false }]);
  const headlines = ['Do you trust the new one?'];
  thread().show({ kind: 'verdict', verdict: { ...verified, outcome: 'untrusted', headlines } });
  expect(dialog.getByText('Do you trust the new one?')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Trust the new key' }));
  expect(thread().received).toMatchObject([{ isNewKeyTrusted: true }]);
});

it('“Verify this record” ends the check when it is cancelled or closed', async () => {
  const dialog = await startRecord();
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(dialog.getByText('Cancelled. Nothing was decided.')).toBeTruthy();
  expect(thread().isTerminated).toBe(true);
  fireEvent.click(dialog.getByRole('button', { name: 'Verify again' }));
  expect(thread().isTerminated).toBe(false);
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0] ?? document.body);
  await waitFor(() => expect(thread().isTerminated).toBe(true));
});

it.each([
  [true, /^The check didn't start\. Reload the page\./],
  [false, /^You're offline\./],
])('“Verify this record” says why the check didn’t start (online: %s)', async (isOnline, text) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  const dialog = await startRecord();
  act(() => void thread().dispatchEvent(new Event('error')));
  expect(dialog.getByText(text)).toBeTruthy();
});

it('“Verify this record” stores another RPC endpoint, and refuses an endpoint that doesn’t begin with https', async () => {
  renderScreen(<VerifyRecord callerId="caller-1" />);
  const dialog = await open();
  const type = (value: string) => {
    fireEvent.change(dialog.getByLabelText('RPC endpoint'), { target: { value } });
    fireEvent.click(dialog.getByRole('button', { name: /^Verify/ }));
  };
  for (const wrong of ['http://other.example', 'nothing']) type(wrong);
  expect(dialog.getByLabelText('RPC endpoint').closest('details')?.open).toBe(true);
  expect(dialog.getByText('Enter an address that begins with https://, or none.')).toBeTruthy();
  expect(FakeWorker.started).toEqual([]);
  type(' https://other.example/key ');
  expect(thread().received).toMatchObject([{ rpcUrl: 'https://other.example/key' }]);
  expect(localStorage.getItem('solcallers.rpc')).toBe('https://other.example/key');
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  type('');
  expect(thread().received).toMatchObject([{ rpcUrl: null }]);
});

function Directory({ filter }: { filter: Parameters<typeof callersQuery>[0] }) {
  useInfiniteQuery(callersQuery(filter));
  return <VerifyLeaderboard filter={filter} />;
}

it('“Verify this leaderboard” checks the loaded pages in their order', async () => {
  const filter = { sort: 'proven', order: 'asc' } as const;
  const headers = { Link: '</api/callers?cursor=two>; rel="next"' };
  stubApi({ 'GET /api/callers': () => Response.json([adaListed], { headers }) });
  const { queryClient } = renderScreen(<Directory filter={filter} />);
  await waitFor(() => expect(queryClient.getQueryData(callersQuery(filter).queryKey)).toBeTruthy());
  await queryClient.fetchInfiniteQuery({ ...callersQuery(filter), pages: 2, staleTime: 0 });
  const dialog = await open('Verify this leaderboard');
  fireEvent.click(dialog.getByRole('button', { name: 'Verify' }));
  const paths = ['/api/callers?order=asc&sort=proven', '/api/callers?cursor=two&order=asc&sort=proven'];
  expect(thread().received).toMatchObject([
    { target: { kind: 'leaderboard', sort: 'proven', order: 'asc', paths } },
  ]);
});

it.each([{ sort: 'fee' }, { verified: 'true' }] as const)(
  '“Verify this leaderboard” isn’t offered for %o',
  (filter) => {
    renderScreen(<VerifyLeaderboard filter={filter} />);
    expect(screen.queryByRole('button')).toBeNull();
  },
);
