import { describe, expect, it } from 'vitest';
import { createAuthor, expectFailure, honest, playPostdatedCall } from './test-support/amara.ts';
import { Author, DAY, HOUR, MINUTE, SECOND, SIGNER, WALLET } from './test-support/history.ts';
import { NewerVersionError } from './store.ts';
import { check, Server, type Memo } from './test-support/server.ts';

/** Transactions that mention the wallet, without a memo of the log. */
const dustAt = (at: number, many: number): Memo[] =>
  Array.from({ length: many }, (_, place) => ({
    memo: 'gm',
    signers: ['Somebody'],
    wallets: [WALLET],
    at: at + place,
    signature: `dust-${place}`,
  }));

const renamed = (memos: readonly Memo[], prefix: string): Memo[] =>
  memos.map((memo) => ({ ...memo, signature: `${prefix}-${memo.signature}` }));

function playCalls(author: Author, multiples: readonly number[]): void {
  for (const multiple of multiples) {
    const call = author.open('amara', { unranked: null, thesis: null });
    author.anchor();
    author.wait(HOUR);
    author.close(call, multiple);
    author.anchor();
    author.wait(3 * HOUR);
  }
  author.anchor();
}

const begin = (): Author => {
  const author = new Author(1);
  author.name('bruno', 'bruno', '22');
  author.name('amara', 'amara', '11');
  author.anchor();
  return author;
};

const copyOf = ({ world }: Author): Server =>
  new Server({ ...world, events: [...world.events], anchors: [...world.anchors] });

it('a log rewritten to restart a losing caller’s record is noticed despite 1,000 unrelated memos', async () => {
  const author = begin();
  playCalls(
    author,
    Array.from({ length: 30 }, () => 0.1),
  );
  const old = copyOf(author);
  expect(await check(old, 'amara')).toMatchObject({ outcome: 'verified' });
  const { world } = author;
  world.events = world.events.filter(({ caller }) => caller !== 'amara');
  world.anchors = [];
  const startedAt = world.now;
  author.wait(HOUR);
  author.name('amara', 'amara', '11');
  author.anchor();
  playCalls(author, [3, 3, 3]);
  const server = new Server(world);
  server.memos = [...renamed(old.memos, 'old'), ...server.memos, ...dustAt(startedAt + MINUTE, 1_000)];
  expectFailure(await check(server, 'amara'), 'split_view');
});

it('a log rewritten without two losses is noticed even if the caller’s first entry has a recent time', async () => {
  const author = begin();
  playCalls(author, [2, 0.1, 0.2, 3]);
  const old = copyOf(author);
  const { world } = author;
  const rewrittenAt = world.now;
  const losses = ['call-2', 'call-3'];
  world.events = world.events
    .filter((event) => !('call' in event && losses.includes(String(event.call))))
    .map((event) =>
      event.kind === 'named' && event.caller === 'amara' ? { ...event, time: rewrittenAt + HOUR } : event,
    );
  world.now = rewrittenAt + HOUR;
  world.anchors = [];
  author.anchor();
  author.wait(HOUR);
  const server = new Server(world);
  server.memos = [...renamed(old.memos, 'old'), ...server.memos, ...dustAt(rewrittenAt + MINUTE, 1_000)];
  expectFailure(await check(server, 'amara'), 'split_view');
});

it('the verdict on a log forked before a wallet change mentions the old wallet’s contradicting anchors', async () => {
  const author = createAuthor();
  const common = {
    events: [...author.world.events],
    anchors: [...author.world.anchors],
    now: author.world.now,
  };
  playCalls(author, [0.1]);
  const withLoss = copyOf(author);
  Object.assign(author.world, { ...common, events: [...common.events], anchors: [...common.anchors] });
  const time = common.now + 1;
  author.add({ kind: 'keys', caller: null, time, signer: SIGNER, wallet: 'W2', isSigned: true });
  author.anchor(10 * SECOND);
  playCalls(author, [3]);
  const withGain = new Server(author.world);
  const memos = author.world.anchors.map(({ at, size }, place) =>
    withGain.memoOf(size, at, `b-${place}`, place < common.anchors.length ? WALLET : 'W2'),
  );
  withGain.memos = [...renamed(withLoss.memos, 'a'), ...memos];
  const known = { wallet: WALLET, key: SIGNER.line };
  const { outcome, headlines } = await check(withGain, 'amara', { known });
  expect(outcome).toBe('verified');
  expect(headlines.join()).toContain('by a wallet that was replaced before');
});

it('the verdict says that memos weren’t checked if 20,000 foreign memos surround a contradicting anchor', async () => {
  const server = honest();
  const right = server.memoOf(5, server.world.now - HOUR, 'signed');
  const wrong = { ...right, memo: right.memo.replace(' 5 ', ' 4 ') };
  const others = dustAt(wrong.at, 20_000).map(({ signature, at }) => ({
    ...wrong,
    signature,
    at,
    signers: ['Somebody'],
  }));
  server.memos.push(wrong, ...others);
  const { outcome, headlines, checked, notes } = await check(server, 'amara');
  const doubts = outcome === 'verified' ? headlines : notes;
  expect(doubts.join()).toContain('weren’t checked');
  expect(checked.join()).not.toContain('No anchor on Solana contradicts');
});

/** Solana with this many additional transactions, listed before those of the site. */
function withTransactions(server: Server, many: number, memo: string) {
  const count = { requests: 0 };
  const blockTime = Math.floor(server.world.now / SECOND);
  const added = Array.from({ length: many }, (_, place) => ({
    signature: `many-${place}`,
    err: null,
    memo,
    blockTime,
  }));
  const callRpc: Server['callRpc'] = async (method, [subject, config]) => {
    count.requests += 1;
    const isAdded = String(subject).startsWith('many-');
    const message = { accountKeys: [{ pubkey: 'Somebody', signer: true }], instructions: [] };
    if (method === 'getTransaction' && isAdded) return { meta: { err: null }, transaction: { message } };
    if (method === 'getTransaction') return server.callRpc(method, [subject, config]);
    const { before } = config as { before?: string };
    const from = added.findIndex(({ signature }) => signature === before) + 1;
    if ((before === undefined || from > 0) && from < many) return added.slice(from, from + 1_000);
    return server.callRpc(method, [subject, { limit: 1_000, ...(from === 0 && { before }) }]);
  };
  return { callRpc, count };
}

it('the check passes with fewer than 350 requests despite a stranger’s 126,000 contradicting memos', async () => {
  const server = honest();
  const anchor = server.memoOf(5, 0, '').memo.replace(' 5 ', ' 4 ');
  const memo = Array.from({ length: 14 }, () => `[${anchor.length}] ${anchor}`).join('; ');
  const { callRpc, count } = withTransactions(server, 9_000, memo);
  const { outcome, headlines } = await check(server, 'amara', { callRpc });
  expect(outcome).toBe('verified');
  expect(headlines.join()).toContain('more memos on Solana contradict the log');
  expect(count.requests).toBeLessThan(350);
});

/** Solana whose transactions with these signatures are in a newer version than the verifier reads. */
const withNewer =
  (server: Server, isNewer: (signature: string) => boolean): Server['callRpc'] =>
  async (method, params) => {
    if (method === 'getTransaction' && isNewer(String(params[0]))) throw new NewerVersionError('Version 2');
    return server.callRpc(method, params);
  };

it('a contradicting memo in a transaction that can’t be read doesn’t fail the check, but a note mentions the memo', async () => {
  const server = honest();
  const right = server.memoOf(5, server.world.now - HOUR, 'newer');
  server.memos.push({ ...right, memo: right.memo.replace(' 5 ', ' 4 ') });
  const callRpc = withNewer(server, (signature) => signature === 'newer');
  const { outcome, headlines, notes } = await check(server, 'amara', { callRpc });
  expect(outcome).toBe('verified');
  expect(headlines[1]).toBe('Solana confirms each to within 15 minutes.');
  expect(notes.join()).toContain('might contradict');
});

it('an unreadable transaction whose memo agrees with the log doesn’t change the verdict if other anchors can be read', async () => {
  const server = honest();
  const without = await check(server, 'amara');
  server.memos = server.memos.flatMap((memo) => [memo, ...renamed([memo], 'newer')]);
  const callRpc = withNewer(server, (signature) => signature.startsWith('newer-'));
  const { outcome, headlines, notes } = await check(server, 'amara', { callRpc });
  const told = notes.filter((note) => !note.includes('requests'));
  expect({ outcome, headlines }).toEqual({ outcome: 'verified', headlines: without.headlines });
  expect(without.notes).toEqual(expect.arrayContaining(told));
});

it('times are unconfirmed, not late, if the only transactions that prove them can’t be read', async () => {
  const server = honest();
  const since = server.world.now - HOUR;
  const isOld = (signature: string) =>
    server.memos.some((memo) => memo.signature === signature && memo.at < since);
  const { outcome, headlines, notes } = await check(server, 'amara', { callRpc: withNewer(server, isOld) });
  expect(outcome).toBe('verified');
  expect(headlines[1]).toMatch(
    /^Solana confirms none of them to within 15 minutes\. \d+ can’t be confirmed: /,
  );
  expect(headlines[1]).not.toContain('late');
  expect(notes.join()).not.toContain('might contradict');
});

it('a log whose newest anchors can’t be read isn’t confirmed', async () => {
  const server = honest();
  const { outcome, headlines } = await check(server, 'amara', { callRpc: withNewer(server, () => true) });
  expect(outcome).toBe('unconfirmed');
  expect(headlines.slice(0, 2)).toEqual([
    '14 calls that fit together. Nobody outside has confirmed them yet.',
    'The newest anchors are in a kind of transaction that this verifier can’t read yet: newer entries might be withheld.',
  ]);
});

/** An entry of Solana’s list of transactions. */
interface Listed {
  readonly blockTime: number;
}
const without = (member: string) => (list: readonly Listed[]) =>
  list.map((entry) => ({ ...entry, [member]: null }));
const withoutDays =
  (from: number, to: number) =>
  (list: readonly Listed[], now: number): Listed[] =>
    list.filter(({ blockTime }) => now - blockTime * SECOND < from || now - blockTime * SECOND > to);

describe.each<[lack: string, change: (list: readonly Listed[], now: number) => readonly object[]]>([
  ['lists only the last 48 hours', withoutDays(2 * DAY, Infinity)],
  ['lists nothing', () => []],
  ['lists no memos', without('memo')],
  ['lists no times', without('blockTime')],
  ['lacks ten days', withoutDays(8 * DAY, 18 * DAY)],
])('a Solana endpoint that %s', (_lack, change) => {
  /** All pages are read from the complete list. */
  const withLack = (server: Server): Server['callRpc'] => {
    const read = new Set<unknown>();
    return async (method, params) => {
      if (method === 'getTransaction') return server.callRpc(method, params);
      const page = (await server.callRpc(method, [params[0], { limit: 10_000 }])) as Listed[];
      const isFirst = !read.has(params[0]);
      read.add(params[0]);
      return isFirst ? change(page, server.world.now) : [];
    };
  };

  it.each([
    ['a caller', 'amara'],
    ['all callers', null],
  ])('leaves the honest record of %s unconfirmed, not wrong or late', async (_who, caller) => {
    const server = honest(24);
    expect(await check(server, caller)).toMatchObject({ outcome: 'verified' });
    const { outcome, headlines, failures } = await check(server, caller, { callRpc: withLack(server) });
    expect({ outcome, failures }).toEqual({ outcome: 'unconfirmed', failures: [] });
    expect(headlines[0]).toMatch(/calls that fit together\. Nobody outside has confirmed them yet\.$/);
    expect(headlines.join()).not.toContain('late');
  });
});

it('a call with a later time than the anchor that includes it is noticed even if the anchors can’t be read', async () => {
  const author = createAuthor();
  author.end(author.open('amara'));
  author.anchor();
  playPostdatedCall(author);
  const server = new Server(author.world);
  const callRpc = withNewer(server, () => true);
  expectFailure(await check(server, 'amara', { callRpc }), 'wrong_time');
});

it('a Solana endpoint with an endless list of transactions leaves the times unconfirmed', async () => {
  const server = honest();
  let requests = 0;
  const callRpc = async () => {
    requests += 1;
    const blockTime = Math.floor(server.world.now / SECOND);
    return [{ signature: `endless-${requests}`, blockTime }];
  };
  const { outcome, headlines } = await check(server, 'amara', { callRpc });
  expect(outcome).toBe('unconfirmed');
  expect(headlines[1]).toBe('The times are unconfirmed, because they need over 2000 requests.');
  expect(requests).toBe(2_000);
});

it.each([
  ['right after another anchor', true, 'our fault'],
  ['after days without an anchor', false, 'our fault unless the Solana endpoint lacks anchors'],
])('the verdict on a call that was logged late, %s, says how late', async (_when, isAnchored, fault) => {
  const author = createAuthor();
  author.wait(100 * DAY);
  if (isAnchored) author.anchor();
  const { now } = author.world;
  author.name('late', 'late', '33');
  const call = author.open('late', { unranked: null, thesis: null, time: now - 90 * DAY });
  author.close(call, 3);
  author.world.now = now;
  author.anchor();
  author.wait(HOUR);
  const { headlines } = await check(new Server(author.world), 'late');
  expect(headlines[1]).toBe(
    `Solana confirms none of them to within 15 minutes. 1 came late, by up to 91 days: ${fault}, and its time and gain can’t be proved.`,
  );
});
