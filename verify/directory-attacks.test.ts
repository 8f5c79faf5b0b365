import { describe, expect, it } from 'vitest';
import { createAuthor, expectFailure } from './test-support/amara.ts';
import { Author, HOUR, MINUTE, SECOND } from './test-support/history.ts';
import { check, Server } from './test-support/server.ts';
import type { Reason, Target } from './verify.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
const FIRST = '/api/callers';
/** The page after the caller with +10%. */
const SECOND_PAGE = `/api/callers?cursor=${JSON.stringify([1, 0, ''])}`;
const LIST = /^\/api\/callers(\?|$)/;
const leaderboard = (...paths: readonly string[]) =>
  ({ kind: 'leaderboard', sort: 'avgReturn', order: 'desc', paths }) as const;

/** Five callers, the first of them the worst. */
function createFive(): Author {
  const author = new Author(1);
  const callers = ['c0', 'c1', 'c2', 'c3', 'c4'];
  for (const caller of callers) author.name(caller);
  author.anchor();
  for (const [place, caller] of callers.entries()) {
    const call = author.open(caller, { unranked: null, thesis: null });
    author.anchor();
    author.wait(HOUR);
    author.close(call, 0.5 + 0.3 * place);
    author.anchor();
  }
  author.wait(HOUR);
  return author;
}

const rowsOf = async (server: Server, path: string): Promise<Row[]> =>
  (await (await server.get(path)).json()) as Row[];

type Lie = (rows: readonly Row[], isSecond: boolean, all: readonly Row[]) => readonly Row[];
const OTHER: Readonly<Record<string, string>> = { c0: 'c4', c4: 'c0' };
const withSwappedName = (row: Row): Row => {
  const name = OTHER[row.id];
  return name === undefined ? row : { ...row, twitterHandle: name, lastName: name };
};

describe.each([
  ['a leaderboard of two pages', leaderboard(FIRST, SECOND_PAGE)],
  ['all callers', { kind: 'all' } as const],
])('%s', (_, target) => {
  const verifyList = (server: Server) => check(server, null, { target });

  it('an honest list of callers is verified', async () => {
    expect(await verifyList(new Server(createFive().world))).toMatchObject({ outcome: 'verified' });
  });

  it.each<[name: string, reason: Reason, lie: Lie]>([
    [
      'the worst callers on the first page',
      'order_differs',
      (_rows, isSecond, all) => (isSecond ? all.slice(0, 3) : all.slice(3)),
    ],
    [
      'a caller on both pages',
      'order_differs',
      (rows, isSecond, all) => (isSecond ? [...all.slice(2, 3), ...rows] : rows),
    ],
    ['the names of two callers swapped', 'name_differs', (rows) => rows.map(withSwappedName)],
  ])('a list with %s is noticed', async (_name, reason, lie) => {
    const server = new Server(createFive().world);
    const all = [...(await rowsOf(server, FIRST)), ...(await rowsOf(server, SECOND_PAGE))];
    server.change(LIST, (rows: Row[], url: URL) => lie(rows, url.searchParams.has('cursor'), all));
    expectFailure(await verifyList(server), reason);
  });

  it('a list with a false name is noticed even if the site serves no name texts', async () => {
    const server = new Server(createFive().world)
      .change(LIST, (rows: Row[]) =>
        rows.map((row) => (row.id === 'c0' ? { ...row, twitterHandle: 'c9' } : row)),
      )
      .change(/^\/log\/texts\/c0/, () => []);
    expectFailure(await verifyList(server), 'name_differs');
  });

  it('a list with two records of the same account on X is noticed', async () => {
    const author = createFive();
    author.name('second', 'other_handle', '199948');
    author.name('c0', 'c0', '199948');
    author.anchor();
    author.wait(HOUR);
    expectFailure(await verifyList(new Server(author.world)), 'order_differs');
    const withoutIds = new Server(author.world).change(/^\/log\/texts\//, (texts: { name: string }[]) =>
      texts.filter(({ name }) => name !== 'xId'),
    );
    expectFailure(await verifyList(withoutIds), 'name_differs');
  });
});

it.each(['suspend', 'deleted'])(
  'a list that still has a caller after the log entry “%s” is noticed',
  async (action) => {
    const author = createFive();
    const before = await rowsOf(new Server(author.world), FIRST);
    const [best] = before;
    const common = { caller: String(best?.id), time: author.world.now + SECOND };
    if (action === 'deleted') author.add({ kind: 'deleted', ...common });
    else author.add({ kind: 'hidden', action, call: null, ...common });
    author.anchor();
    author.wait(HOUR);
    const server = new Server(author.world).change(LIST, () => before);
    expectFailure(await check(server, null, { target: leaderboard(FIRST) }), 'order_differs');
  },
);

it('a cached list that still names a caller deleted a moment ago is checked again later', async () => {
  const author = createFive();
  const size = author.world.events.length;
  author.add({ kind: 'deleted', caller: 'c4', time: author.world.now + SECOND });
  author.anchor();
  author.wait(2 * MINUTE);
  const server = new Server(author.world).change(/^\/log\/texts\/c4/, () => []);
  server.shownSize = (path) => (path === FIRST ? size : server.size);
  const verdict = await check(server, null, { target: leaderboard(FIRST) });
  expect(verdict).toMatchObject({ outcome: 'later', failures: [] });
});

it('a list without a caller whose name isn’t in the log is noticed', async () => {
  const author = createFive();
  author.close(author.open('nameless', { unranked: null }), 0.1);
  author.anchor();
  author.wait(HOUR);
  const verdict = await check(new Server(author.world), null, { target: leaderboard(FIRST, SECOND_PAGE) });
  expectFailure(verdict, 'caller_missing');
});

it('a caller whom late entries keep off the first page isn’t missing, also if Solana doesn’t confirm times', async () => {
  const author = createAuthor(0);
  for (const caller of ['c0', 'c1', 'c2']) {
    author.name(caller);
    const call = author.open(caller, { unranked: null });
    author.wait(HOUR);
    author.close(call, 3);
  }
  for (let day = 0; day < 24; day += 1) {
    const call = author.open('amara', { unranked: null, mint: `Mint of day ${day}` });
    author.wait(HOUR);
    const ended = Object.assign(author.end(call, 1.5), { uncounted: null });
    const time = author.world.now + 2 * MINUTE;
    const mark = { liquidityUsd: 500_000, solPriceUsd: '150', source: 'one' };
    const open = { ...mark, price: call.entryPrice, seenAt: call.time + MINUTE };
    const end = { ...mark, price: ended.endPrice, seenAt: ended.time + MINUTE };
    author.add({ kind: 'marked', caller: 'amara', call: call.call, time, open, end });
    author.wait(HOUR);
    author.anchor();
    author.wait(22 * HOUR);
    author.anchor();
  }
  const server = new Server(author.world);
  expect((await rowsOf(server, FIRST)).map(({ id }) => id)).not.toContain('amara');
  const verdict = await check(server, null, { target: leaderboard(FIRST) });
  expect(verdict).toMatchObject({ outcome: 'verified' });
  const alone = await check(server, null, { target: leaderboard(FIRST), callRpc: null });
  expect(alone).toMatchObject({ outcome: 'unconfirmed', failures: [] });
});

it('a leaderboard with an invented order by Proven is never confirmed without Solana', async () => {
  const server = new Server(createAuthor().world).change(LIST, (rows: Row[]) =>
    rows.map((row) => ({ ...row, proven: row.id === 'bruno' ? 250 : -99 })).toReversed(),
  );
  const target: Target = { ...leaderboard(`${FIRST}?sort=proven`), sort: 'proven' };
  const { outcome, headlines } = await check(server, null, { target, callRpc: null });
  if (outcome === 'verified') expect(headlines[0]).toContain('The order wasn’t checked');
  else expect(outcome).toBe('failed');
});

it.each(['entryPrice', 'endPrice'])(
  'a call whose %s makes its change infinite fails the check',
  async (price) => {
    const author = createAuthor();
    const tiny = price === 'entryPrice';
    const entryPrice = tiny ? `0.${'0'.repeat(330)}1` : '1';
    const call = author.open('amara', { unranked: null, thesis: null, entryPrice });
    author.anchor();
    author.wait(HOUR);
    const ended = author.end(call, 1);
    ended.endPrice = tiny ? '0.000001' : '9'.repeat(310);
    author.anchor(10 * MINUTE);
    author.wait(HOUR);
    for (const target of [
      leaderboard(FIRST),
      { kind: 'all' },
      { kind: 'caller', handle: 'amara' },
    ] as const) {
      const verdict = await check(new Server(author.world), null, { target });
      expect(verdict.outcome).toBe('failed');
    }
  },
);
