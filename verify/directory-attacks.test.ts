import { describe, expect, it } from 'vitest';
import { createAuthor, expectFailure } from './test-support/amara.ts';
import { Author, HOUR, MINUTE, SECOND } from './test-support/history.ts';
import { check, Server } from './test-support/server.ts';
import type { Target } from './verify.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
const FIRST = '/api/callers';
const SECOND_PAGE = '/api/callers?cursor=3';
const LIST = /^\/api\/callers(\?|$)/;
const leaderboard = (...paths: readonly string[]): Target => ({
  kind: 'leaderboard',
  sort: 'avgReturn',
  order: 'desc',
  paths,
});

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

describe.each([
  ['a leaderboard of two pages', leaderboard(FIRST, SECOND_PAGE)],
  ['all callers', { kind: 'all' } as const],
])('%s', (_, target) => {
  const verifyList = (server: Server) => check(server, null, { target });

  it('an honest list of callers is verified', async () => {
    expect(await verifyList(new Server(createFive().world))).toMatchObject({ outcome: 'verified' });
  });

  it('a list of callers with the worst ones on the first page is noticed', async () => {
    const server = new Server(createFive().world);
    const rows = [...(await rowsOf(server, FIRST)), ...(await rowsOf(server, SECOND_PAGE))];
    server.change(LIST, (_rows: unknown, url: URL) =>
      url.searchParams.has('cursor') ? rows.slice(0, 3) : rows.slice(3),
    );
    expectFailure(await verifyList(server), 'order_differs');
  });

  it('a list that has a caller on both pages is noticed', async () => {
    const server = new Server(createFive().world);
    const rows = await rowsOf(server, FIRST);
    server.change(LIST, (page: Row[], url: URL) =>
      url.searchParams.has('cursor') ? [...rows.slice(2), ...page] : page,
    );
    expectFailure(await verifyList(server), 'order_differs');
  });

  it('a list that swaps the names of two callers is noticed', async () => {
    const other: Readonly<Record<string, string>> = { c0: 'c4', c4: 'c0' };
    const server = new Server(createFive().world).change(LIST, (rows: Row[]) =>
      rows.map((row) => {
        const name = other[row.id];
        return name === undefined ? row : { ...row, twitterHandle: name, lastName: name };
      }),
    );
    expectFailure(await verifyList(server), 'name_differs');
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
  });
});

it.each(['suspend', 'deleted'])('a caller who is still listed after “%s” is noticed', async (action) => {
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
});

it('an invented order by Proven isn’t called right if Solana isn’t checked', async () => {
  const server = new Server(createAuthor().world).change(LIST, (rows: Row[]) =>
    rows.map((row) => ({ ...row, proven: row.id === 'bruno' ? 250 : -99 })).toReversed(),
  );
  const target: Target = {
    kind: 'leaderboard',
    sort: 'proven',
    order: 'desc',
    paths: [`${FIRST}?sort=proven`],
  };
  const { outcome, headlines } = await check(server, null, { target, callRpc: null });
  if (outcome === 'verified') expect(headlines[0]).toContain('The order wasn’t checked');
  else expect(outcome).toBe('failed');
});

it.each(['entryPrice', 'endPrice'])(
  'a call whose %s makes its change infinite doesn’t pass the check',
  async (price) => {
    const author = createAuthor();
    const tiny = price === 'entryPrice';
    const entryPrice = tiny ? `0.${'0'.repeat(330)}1` : '1';
    const call = author.open('amara', { unranked: null, thesis: null, entryPrice });
    author.anchor();
    author.wait(HOUR);
    const ended = {
      kind: 'ended',
      caller: 'amara',
      call: call.call,
      uncounted: null,
      automatic: null,
    } as const;
    author.add({ ...ended, time: author.world.now + SECOND, endPrice: tiny ? '0.000001' : '9'.repeat(310) });
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
