import { describe, expect, it, vi } from 'vitest';
import { createAuthor, expectFailure, honest, playPostdatedCall, rewritten } from './test-support/amara.ts';
import { withoutLoser, withOtherWallet } from './test-support/amara.ts';
import { buildLog } from './test-support/build.ts';
import { DAY, HOUR, MINUTE, SECOND, textsOf, WALLET } from './test-support/history.ts';
import type { Author, BuiltEvent, NamedEvent } from './test-support/history.ts';
import { createSigner } from './test-support/keys.ts';
import { callerAt } from './test-support/responses.ts';
import { check, createStore, Server } from './test-support/server.ts';
import type { CallRpc, Reason, Verdict, VerifyOptions } from './verify.ts';
import { NewerVersionError } from './store.ts';

/** A visit to an honest site, and a later one to a dishonest one. */
async function visitTwice(dishonest: Server, options: Partial<VerifyOptions> = {}): Promise<Verdict> {
  const store = createStore();
  const first = await check(honest(), 'amara', { store });
  expect(first).toMatchObject({ outcome: 'verified', failures: [] });
  return check(dishonest, 'amara', { store, now: dishonest.world.now + 2 * MINUTE, ...options });
}

const offline = { callRpc: null };

const PROFILE = /^\/api\/callers\/amara$/;
/** Replaces these members of Amara's profile. */
const showing = (server: Server, lie: object): Server =>
  server.change(PROFILE, (profile: object) => ({ ...profile, ...lie }));

const CALLS = /^\/api\/token-calls\/caller/;
const TEXTS = /^\/log\/texts/;
interface ServedText {
  readonly name: string;
  readonly salt: string;
  readonly text: string;
}
const moveIntoSalt = (each: ServedText): ServedText => {
  if (each.name !== 'thesis') return each;
  const salt = Buffer.concat([Buffer.from(each.salt, 'base64'), Buffer.from(each.text.slice(0, 3))]);
  return { ...each, salt: salt.toString('base64'), text: each.text.slice(3) };
};
const withThesis = (thesis: string) => (calls: object[]) => calls.map((call) => ({ ...call, thesis }));
const linkingTo = (next: string) => () => new Response('[]', { headers: { Link: `<${next}>; rel="next"` } });
const broken = () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  return new Response(body);
};

it.each<[name: string, reason: Reason, path: RegExp, change: (value: never) => unknown]>([
  [
    'the beginning of a text moved into its salt',
    'commitment_broken',
    TEXTS,
    (texts: ServedText[]) => texts.map(moveIntoSalt),
  ],
  ['a response without a size', 'malformed', PROFILE, (profile: object) => Response.json(profile)],
  ['a response that breaks off', 'unavailable', TEXTS, broken],
  ['a list whose pages repeat', 'malformed', TEXTS, linkingTo('/log/texts/amara')],
  ['a list whose pages lead elsewhere', 'malformed', TEXTS, linkingTo('https://elsewhere.example/')],
  [
    'a tile with more entries than its path says',
    'malformed',
    /^\/log\/tile\/entries/,
    () => new Response(new Uint8Array(1_000_000)),
  ],
  [
    'a thesis that continues after the words “Hidden by SolCallers”',
    'text_differs',
    CALLS,
    withThesis('Hidden by SolCallers:\u28001000x\u2800soon'),
  ],
  ['a thesis replaced by the words “Hidden by us”', 'text_differs', CALLS, withThesis('Hidden by us')],
])('%s is noticed (%s)', async (_name, reason, path, change) => {
  expectFailure(await check(honest().change(path, change), 'amara'), reason);
});

it('the verdict on an honest record is “verified”, with three headlines', async () => {
  const author = createAuthor();
  author.open('amara');
  author.anchor();
  const verdict = await check(new Server(author.world), 'amara');
  expect(verdict).toMatchObject({ outcome: 'verified', failures: [], wallet: WALLET });
  expect(verdict.headlines).toEqual([
    '15 calls. None missing, none changed.',
    'Solana confirms each to within 15 minutes.',
    '1 call is still sealed.',
  ]);
  expect(callerAt(author.world, 'amara', author.world.events.length)?.profile['provenResults']).toBe(14);
});

it('a call that isn’t anchored yet is too new to be confirmed', async () => {
  const author = createAuthor();
  author.open('amara');
  const { headlines } = await check(new Server(author.world), 'amara');
  expect(headlines[1]).toBe(
    'Solana confirms 14 of them to within 15 minutes. 1 is too new to be confirmed yet.',
  );
});

it('a record isn’t confirmed without a Solana endpoint', async () => {
  const { outcome, headlines } = await check(honest(), 'amara', offline);
  expect(outcome).toBe('unconfirmed');
  expect(headlines).toEqual([
    '14 calls that fit together. Nobody outside has confirmed them yet.',
    'The times are unconfirmed, because no Solana endpoint was asked.',
  ]);
});

it('a record isn’t confirmed if no recent anchor covers the log', async () => {
  const author = createAuthor();
  author.close(author.open('amara', { unranked: null }), 2);
  author.wait(HOUR);
  const server = new Server(author.world);
  const before = author.world.events.length - 3;
  server.memos.push(server.memoOf(before, author.world.now - MINUTE, 'of an older size'));
  const { outcome, headlines } = await check(server, 'amara');
  expect(outcome).toBe('unconfirmed');
  expect(headlines[0]).toBe('15 calls that fit together. Nobody outside has confirmed them yet.');
  expect(headlines[1]).toContain('newer entries might be withheld');
});

describe('a winning call inserted 24 minutes late, with backdated times', () => {
  const author = createAuthor(24);
  const opened = { unranked: null, time: author.world.now, entryPrice: '0.01', mint: 'Winner' };
  author.wait(24 * MINUTE);
  const call = author.open('amara', opened);
  const ended = { kind: 'ended', caller: 'amara', call: call.call, endPrice: '0.1' } as const;
  author.add({ ...ended, time: opened.time + 20 * MINUTE, uncounted: null, automatic: null });
  author.world.now = opened.time + 26 * MINUTE;
  author.anchor();

  it('the verdict says that the gain of a winning call inserted 24 minutes late can’t be proved', async () => {
    const { outcome, headlines } = await check(new Server(author.world), 'amara');
    expect(outcome).toBe('verified');
    expect(headlines[1]).toBe(
      'Solana confirms 24 of them to within 15 minutes. 1 came late, by up to 27 minutes: our fault, and its time and gain can’t be proved.',
    );
  });

  it('a Proven figure that counts the gain of a late call is noticed', async () => {
    const { world } = author;
    const time = world.now + 2 * HOUR;
    const mark = { liquidityUsd: 500_000, solPriceUsd: '150', source: 'one' };
    const open = { ...mark, price: '0.01', seenAt: opened.time + MINUTE };
    const end = { ...mark, price: '0.1', seenAt: opened.time + 21 * MINUTE };
    author.add({ kind: 'marked', caller: 'amara', call: call.call, time, open, end });
    author.anchor();
    const server = new Server(world);
    expect(await check(server, 'amara')).toMatchObject({ outcome: 'verified' });
    const isCounted = {
      ...world,
      anchors: world.events.map((event, at) => ({ at: event.time, size: at + 1 })),
    };
    const { proven } = callerAt(isCounted, 'amara', world.events.length)?.profile ?? {};
    expectFailure(await check(showing(server, { proven }), 'amara'), 'figure_differs');
  });
});

describe('a site that shows other data than the log', () => {
  const figures =
    'totalCalls activeCallCount endedCalls rankedCalls winRate avgReturn followerReturn followerCalls callsWithoutResult proven provenResults provenTokens provenBets';
  it.each(figures.split(' '))('a profile whose %s differs from the log’s is noticed', async (name) => {
    const change = (profile: Record<string, number>) => ({ ...profile, [name]: (profile[name] ?? 0) + 1 });
    expectFailure(await check(honest().change(PROFILE, change), 'amara'), 'figure_differs');
  });

  type Numbers = Record<string, number>;
  type WithAfterFee = { readonly afterFee: Numbers & { readonly stakes: readonly Numbers[] } };
  it.each('results days mostAtOnce months feeUsd paysFromUsd'.split(' '))(
    'an After the fee whose %s differs from the log’s is noticed',
    async (name) => {
      const change = ({ afterFee, ...profile }: WithAfterFee) => ({
        ...profile,
        afterFee: { ...afterFee, [name]: (afterFee[name] ?? 0) + 1 },
      });
      expectFailure(await check(honest(24).change(PROFILE, change), 'amara'), 'figure_differs');
    },
  );

  it.each('gainUsd solUsd monthUsd monthSolUsd mostUsd'.split(' '))(
    'an After the fee with one amount whose %s differs from the log’s is noticed',
    async (name) => {
      const change = ({ afterFee, ...profile }: WithAfterFee) => {
        const [first, ...others] = afterFee.stakes;
        const stakes = [{ ...first, [name]: (first?.[name] ?? 0) + 1 }, ...others];
        return { ...profile, afterFee: { ...afterFee, stakes } };
      };
      expectFailure(await check(honest(24).change(PROFILE, change), 'amara'), 'figure_differs');
    },
  );

  it.each([
    ['an invented call', 'call_missing', (calls: object[]) => [...calls, { ...calls[0], id: 'other' }]],
    [
      'a call shown twice, first with another price',
      'call_missing',
      ([call, ...calls]: object[]) => [{ ...call, endPrice: '99' }, { ...call }, ...calls],
    ],
    [
      'an invented active call',
      'call_missing',
      (calls: object[]) => [{ ...calls[0], id: 'other', isActive: true }, ...calls],
    ],
    [
      'a changed promotion mark',
      'call_differs',
      (calls: { isPaidPromotion: boolean }[]) =>
        calls.map((call) => ({ ...call, isPaidPromotion: !call.isPaidPromotion })),
    ],
  ] as const)('%s is noticed', async (_, reason, change) => {
    const server = honest().change(CALLS, change);
    server.world.now += DAY;
    expectFailure(await check(server, 'amara'), reason);
  });
});

it('a directory row whose recent calls differ from the log’s is noticed', async () => {
  const server = honest().change(/^\/api\/callers$/, ([first, ...rows]: { recentCalls: object[] }[]) => [
    { ...first, recentCalls: first?.recentCalls.map((call) => ({ ...call, endPrice: '99' })) },
    ...rows,
  ]);
  expectFailure(await check(server, null), 'call_differs');
});

it('records fail the check if later “named” entries exchange two callers’ handles and X accounts', async () => {
  const author = createAuthor();
  author.name('amara', 'bruno', '22');
  author.name('bruno', 'amara', '11');
  author.anchor();
  expectFailure(await check(new Server(author.world), 'amara'), 'identity_changed');
  const hidden = author.world.events.find((event): event is NamedEvent => event.kind === 'named');
  if (hidden) hidden.xId.isWithdrawn = true;
  expectFailure(await check(new Server(author.world), 'amara'), 'name_differs');
});

describe('a withdrawn thesis', () => {
  const withdraw = (author: Author, kind: 'deleted' | 'hidden') => {
    const common = { caller: 'amara', time: author.world.now };
    if (kind === 'deleted') author.add({ kind, ...common });
    else author.add({ kind, ...common, action: 'hide_text', call: 'call-1' });
    author.anchor();
  };
  const isOfFirst = (event: BuiltEvent) => event.kind === 'opened' && event.call === 'call-1';

  it.each(['deleted', 'hidden'] as const)(
    'a cached page that still has a thesis withdrawn a moment ago (%s) is checked again later',
    async (kind) => {
      const author = createAuthor();
      author.wait(HOUR);
      const size = author.world.events.length;
      const path = '/api/token-calls/caller/amara';
      const cached: unknown = await (await new Server(author.world).get(path)).json();
      withdraw(author, kind);
      const events = author.world.events.filter((event) => kind === 'deleted' || isOfFirst(event));
      for (const text of textsOf(events, 'amara')) text.isWithdrawn = true;
      const server = new Server(author.world).change(CALLS, () => cached);
      server.shownSize = (name) => (name === path ? size : server.size);
      expect(await check(server, 'amara')).toMatchObject({ outcome: 'later', failures: [] });
      author.wait(HOUR);
      expectFailure(await check(server, 'amara'), 'text_differs');
    },
  );

  it('cached texts that still have a thesis hidden a moment ago are checked again later', async () => {
    const author = createAuthor();
    withdraw(author, 'hidden');
    const server = new Server(author.world).change(CALLS, (calls: { id: string }[]) =>
      calls.map((call) => (call.id === 'call-1' ? { ...call, thesis: 'Hidden by SolCallers' } : call)),
    );
    expect(await check(server, 'amara')).toMatchObject({ outcome: 'later', failures: [] });
    author.wait(HOUR);
    expectFailure(await check(server, 'amara'), 'text_differs');
  });

  it('a page with another text in place of a thesis hidden a moment ago is noticed', async () => {
    const author = createAuthor();
    withdraw(author, 'hidden');
    expectFailure(
      await check(new Server(author.world).change(CALLS, withThesis('A lie.')), 'amara'),
      'text_differs',
    );
  });
});

it('a name that the site shows for a deleted account is noticed', async () => {
  const author = createAuthor();
  author.add({ kind: 'deleted', caller: 'amara', time: author.world.now });
  author.anchor();
  const site = () => new Server(author.world);
  expect((await check(site(), 'amara')).failures).toEqual([]);
  for (const lie of [{ twitterHandle: 'famous' }, { firstName: 'Famous' }]) {
    expectFailure(await check(showing(site(), lie), 'amara'), 'name_differs');
  }
});

it('a record that continues after an account deletion passes the check with the note “deleted and came back”', async () => {
  const author = createAuthor();
  for (const text of textsOf(author.world.events, 'amara')) text.isWithdrawn = true;
  author.add({ kind: 'deleted', caller: 'amara', time: author.world.now });
  author.name('amara', 'amara', '11');
  author.anchor();
  const { failures, notes } = await check(new Server(author.world), 'amara');
  expect(failures).toEqual([]);
  expect(notes.join()).toContain('deleted and came back');
});

describe('the anchor wallet', () => {
  it('a memo that the anchor wallet didn’t sign doesn’t count as an anchor', async () => {
    const server = rewritten(withoutLoser, 24);
    const invented = server.world.events.map((event, place) => ({
      ...server.memoOf(place + 1, event.time + MINUTE, `invented-${place}`),
      signers: ['Somebody'],
    }));
    server.memos = invented;
    const { failures } = await check(server, 'amara');
    expect(failures.map(({ message }) => message)).toContainEqual(expect.stringContaining('shows Proven'));
  });

  it('a log rewritten with another anchor wallet fails the check only if the right wallet is known', async () => {
    const verdict = await check(withOtherWallet(), 'amara');
    expect(verdict).toMatchObject({ outcome: 'verified', wallet: 'Other' });
    expect(verdict.notes.join()).toContain('compare its key and wallet with the README');
    expectFailure(await check(withOtherWallet(), 'amara', { known: { wallet: WALLET } }), 'key_changed');
  });
});

it('a leaderboard in the right order is verified', async () => {
  const target = { kind: 'leaderboard', sort: 'avgReturn', order: 'desc', paths: ['/api/callers'] } as const;
  const { outcome, headlines } = await check(honest(), null, { target });
  expect({ outcome, first: headlines[0] }).toEqual({
    outcome: 'verified',
    first: '2 callers, 15 calls. The order is right, and nobody is missing.',
  });
});

describe('ten sealed calls, of which only the winner is opened', () => {
  const author = createAuthor();
  const calls = Array.from({ length: 10 }, () => author.open('amara', { unranked: null }));
  author.anchor();
  author.wait(HOUR);
  if (calls[0]) author.close(calls[0], 4);
  author.anchor();

  it('the verdict counts the calls that stay sealed', async () => {
    const server = new Server(author.world);
    const { headlines } = await check(server, 'amara');
    expect(headlines[2]).toBe('9 calls are still sealed.');
    expectFailure(await check(showing(server, { activeCallCount: 0 }), 'amara'), 'figure_differs');
  });
});

const endAtZero = (author: Author, after: number, uncounted: string | null) => {
  const { caller, call, time } = author.open('amara', { unranked: null });
  author.add({ kind: 'ended', caller, call, time: time + after, endPrice: '0', uncounted, automatic: null });
};

it.each<[name: string, reason: Reason, act: (author: Author) => void, caller?: string]>([
  [
    'a second “marked” entry for a call',
    'rule_broken',
    ({ world }) => world.events.push({ ...(world.events.at(-1) as BuiltEvent), time: world.now + SECOND }),
  ],
  [
    'a call without a “marked” entry a day after its end',
    'rule_broken',
    (author) => {
      author.end(author.open('amara'), 0.5);
      author.wait(25 * HOUR);
    },
  ],
  [
    'a loss with the reason of an uncounted gain',
    'rule_broken',
    (author) => endAtZero(author, SECOND, 'short_hold'),
  ],
  ['an end that comes before its opening', 'wrong_time', (author) => endAtZero(author, -SECOND, null)],
  [
    'an end that another caller logged',
    'commitment_broken',
    (author) => author.end({ ...author.open('amara'), caller: 'bruno' }),
    'bruno',
  ],
])('%s is noticed (%s)', async (_name, reason, act, caller = 'amara') => {
  const author = createAuthor();
  act(author);
  author.anchor();
  expectFailure(await check(new Server(author.world), caller), reason);
});

it('a call with a later time than the anchor that includes it is noticed', async () => {
  const author = createAuthor();
  playPostdatedCall(author);
  expectFailure(await check(new Server(author.world), 'amara'), 'wrong_time');
});

describe('a new key and a new wallet', () => {
  const changed = (isSigned: boolean) => {
    const author = createAuthor();
    const signer = createSigner('calls.example', 9);
    author.add({
      kind: 'keys',
      caller: null,
      time: author.world.now + MINUTE,
      signer,
      wallet: 'New',
      isSigned,
    });
    author.open('amara');
    const server = new Server(author.world);
    server.signer = signer;
    const size = author.world.events.length;
    server.memos.push(server.memoOf(size, author.world.now + MINUTE, 'new', 'New'));
    author.wait(HOUR);
    return server;
  };

  it('a new key and wallet are accepted if the old key signed them', async () => {
    const verdict = await visitTwice(changed(true));
    expect(verdict).toMatchObject({ outcome: 'verified', wallet: 'New' });
    expect(verdict.notes.join()).toContain('signed by the old key');
  });

  it('a new key and wallet without the old key’s signature need the visitor’s confirmation', async () => {
    const { outcome, failures, headlines } = await visitTwice(changed(false));
    expect({ outcome, failures }).toEqual({ outcome: 'untrusted', failures: [] });
    expect(headlines).toEqual([expect.stringMatching(/Do you trust the new one\?$/)]);
    const trusted = await visitTwice(changed(false), { isNewKeyTrusted: true });
    expect(trusted).toMatchObject({ outcome: 'verified' });
  });

  it('a new key and wallet with a wrong signature are noticed', async () => {
    const { world, signer } = changed(true);
    const signature = Buffer.alloc(64).toString('base64');
    const log = buildLog(world.events, (entry) =>
      entry['signature'] === null ? entry : { ...entry, ...(entry['signature'] ? { signature } : {}) },
    );
    const server = new Server(world, log);
    server.signer = signer;
    expectFailure(await check(server, 'amara'), 'signature_wrong');
  });

  it('the verdict mentions a contradicting memo of a replaced wallet but is still “verified”', async () => {
    const server = changed(true);
    const memo = server.memoOf(5, server.world.now - MINUTE, 'stolen');
    server.memos.push({ ...memo, memo: memo.memo.replace(' 5 ', ' 4 ') });
    const { outcome, headlines, checked } = await check(server, 'amara');
    expect(outcome).toBe('verified');
    expect(headlines.join()).toContain('a wallet that was replaced before');
    expect(checked.join()).not.toContain('No anchor on Solana contradicts');
  });
});

/** A site whose responses already include two log entries that aren't published yet. */
function newerSite(): { server: Server; newest: number } {
  const author = createAuthor();
  author.close(author.open('amara', { unranked: null }), 2);
  const server = new Server(author.world);
  const newest = server.size;
  server.size -= 2;
  server.shownSize = () => newest;
  return { server, newest };
}

it('a response that is newer than the published log is checked again later', async () => {
  const { server } = newerSite();
  expect(await check(server, 'amara')).toMatchObject({ outcome: 'later', failures: [], headlines: [] });
});

it('a response that differs from the log entries published a few minutes later is noticed', async () => {
  const { server, newest } = newerSite();
  const wait = async () => void (server.size = Math.min(newest, server.size + 1));
  expectFailure(await check(showing(server, { winRate: 99 }), 'amara', { wait }), 'figure_differs');
});

it('a site whose data is newer than its log at each visit fails the check after ten minutes', async () => {
  const store = createStore();
  const server = showing(honest(), { winRate: 99 });
  server.shownSize = () => server.size + 5;
  const visit = (minutes: number, caller = 'amara') =>
    check(server, caller, { store, now: server.world.now + minutes * MINUTE });
  expect(await visit(0)).toMatchObject({ outcome: 'later' });
  expect(await visit(5, 'bruno')).toMatchObject({ outcome: 'verified' });
  expect(await visit(9)).toMatchObject({ outcome: 'later' });
  expectFailure(await visit(11), 'stale_checkpoint');
});

it('a text that the site shows for a call that is still sealed fails the check after ten minutes', async () => {
  const author = createAuthor();
  author.open('amara');
  author.anchor();
  const server = new Server(author.world);
  const number = author.world.events.filter(({ caller }) => caller === 'amara').length;
  const text = { number, name: 'thesis', salt: author.random.salt(), text: 'Invented' };
  server.change(/^\/log\/texts\/amara/, (texts: object[]) => [...texts, text]);
  const store = createStore();
  expect(await check(server, 'amara', { store })).toMatchObject({ outcome: 'later' });
  const now = server.world.now + 11 * MINUTE;
  expectFailure(await check(server, 'amara', { store, now }), 'stale_checkpoint');
});

describe('the served entries', () => {
  it('an entry with a duplicate JSON member is noticed', async () => {
    const { world } = honest();
    const server = new Server(world);
    const twice = server.log.data.with(9, String(server.log.data[9]).replace('{', '{"caller":"x",'));
    server.replaceLog({ ...server.log, data: twice });
    server.memos = [];
    expectFailure(await check(server, 'amara'), 'malformed');
  });

  it('entries are downloaded again if this device’s copies are broken', async () => {
    const store = createStore();
    const { world } = honest();
    const more = { ...(world.events[1] as BuiltEvent), time: world.now };
    world.events.push(...Array.from({ length: 260 }, () => more));
    const visit = () => check(new Server(world), 'amara', { store, ...offline });
    expect(await visit()).toMatchObject({ outcome: 'unconfirmed', failures: [] });
    expect(await visit()).toMatchObject({ outcome: 'unconfirmed', failures: [] });
    await store.write('entries-0', Uint8Array.of(0, 0));
    expect(await visit()).toMatchObject({ outcome: 'unconfirmed', failures: [] });
  });
});

describe('a witness', () => {
  const witness = createSigner('witness.example', 3, 4);
  const witnesses = [witness.line];

  it('the verdict says whether a witness has cosigned the log', async () => {
    const server = honest();
    expect((await check(server, 'amara', { witnesses })).notes.join()).toContain('hasn’t cosigned');
    server.witness = witness;
    expect((await check(server, 'amara', { witnesses })).checked).toContain(
      'witness.example has cosigned the log',
    );
  });

  it('a witness’s wrong cosignature is noticed', async () => {
    const server = honest().change(/checkpoint$/, (note: string) => note.replace(/\n(\d+)\n/, '\n$1\n'));
    server.witness = { ...witness, key: createSigner('other', 4, 4).key };
    expectFailure(await check(server, 'amara', { witnesses }), 'signature_wrong');
  });
});

it('a site that doesn’t respond is reported as unavailable, which says nothing about the record', async () => {
  const get = async () => {
    throw new TypeError('offline');
  };
  const { failures } = await check(honest(), 'amara', { get });
  expect(failures).toMatchObject([
    { reason: 'unavailable', meaning: expect.stringContaining('says nothing') },
  ]);
});

it('a caller that the site doesn’t know isn’t called a site that doesn’t respond', async () => {
  const { outcome, failures } = await check(honest(), 'nobody');
  expect(outcome).toBe('unavailable');
  expect(failures[0]?.message).toBe('The site doesn’t know /api/callers/nobody (status 404).');
});

it.each([{ toString: 1, valueOf: 1 }, [[[]]]])(
  'a thesis and an end price of the wrong type are noticed: %j',
  async (value) => {
    const server = honest().change(/^\/api\/token-calls\/caller/, ([call, ...calls]: object[]) => [
      { ...call, thesis: value, endPrice: value },
      ...calls,
    ]);
    server.world.now += DAY;
    const verdict = await check(server, 'amara');
    expectFailure(verdict, 'call_differs');
    expectFailure(verdict, 'text_differs');
  },
);

it.each([
  [
    'a time beyond the range of dates',
    (text: string) => text.replace(/"time":\d+/, `"time":${Number.MAX_SAFE_INTEGER}`),
  ],
  [
    'deep nesting',
    (text: string) => text.replace(/"time":\d+/, `"time":${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  ],
])('the verifier notices %s in an entry', async (_, change) => {
  const server = honest();
  const at = server.data.findLastIndex((text) => String(text).includes('"kind":"ended"'));
  const data = server.data.map((text, place) => (place === at ? change(String(text)) : String(text)));
  server.replaceLog({ ...server.log, data });
  expectFailure(await check(server, 'amara'), 'malformed');
});

it('a log that claims a billion entries fails the check within 50 requests', async () => {
  const server = honest().change(/^\/log\/tile/, () => new Response(''));
  server.size = 999_999_999;
  expectFailure(await check(server, 'amara'), 'malformed');
  expect(server.requests.site).toBeLessThan(50);
});

it('entries added during a slow check are accepted', async () => {
  const server = honest();
  const now = server.world.events.reduce((last, event) => Math.max(last, event.time ?? 0), 0) - HOUR;
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const get: VerifyOptions['get'] = async (path) => {
      if (path.startsWith('/api/token-calls/caller')) vi.advanceTimersByTime(HOUR);
      return server.get(path);
    };
    const { failures } = await check(server, 'amara', { now, get });
    expect(failures.filter(({ reason }) => reason === 'wrong_time')).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

type Respond = (server: Server, params: Parameters<CallRpc>[1]) => unknown;
it.each<[name: string, method: string, respond: Respond, note: string]>([
  ['returns an unreadable list', 'getSignaturesForAddress', () => ({ value: [] }), 'unreadable'],
  [
    'refuses its list as a newer version',
    'getSignaturesForAddress',
    () => Promise.reject(new NewerVersionError('Version 2')),
    'unreadable',
  ],
  ['returns an unreadable transaction', 'getTransaction', () => ({ value: [] }), 'unreadable'],
  [
    'repeats a page',
    'getSignaturesForAddress',
    (server, [subject, config]) =>
      server.callRpc('getSignaturesForAddress', [subject, { ...(config as object), before: undefined }]),
    'unreadable',
  ],
  [
    'returns no transactions',
    'getTransaction',
    () => Promise.reject(new Error('busy')),
    'no Solana endpoint responded',
  ],
])('a Solana endpoint that %s leaves the times unconfirmed', async (_name, broken, respond, note) => {
  const server = honest();
  const callRpc: VerifyOptions['callRpc'] = async (method, params) =>
    method === broken ? respond(server, params) : server.callRpc(method, params);
  const { outcome, headlines, failures } = await check(server, 'amara', { callRpc });
  expect({ outcome, failures }).toEqual({ outcome: 'unconfirmed', failures: [] });
  expect(headlines[1]).toContain(note);
});

it('a response with a deeply nested member fails the check without an exception', async () => {
  const server = honest();
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const get = async (path: string) => {
    const response = await server.get(path);
    if (path !== '/api/callers/amara') return response;
    const body = (await response.text()).replace(/"totalCalls":\d+/, `"totalCalls":${nested}`);
    return new Response(body, { headers: response.headers });
  };
  expectFailure(await check(server, 'amara', { get }), 'figure_differs');
});

it('an endless response is cut off and fails the check', async () => {
  let chunks = 0;
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
  const server = honest();
  const get = async (path: string) =>
    path.startsWith('/log/tile/entries') ? new Response(endless()) : server.get(path);
  expectFailure(await check(server, 'amara', { get }), 'malformed');
  expect(chunks).toBeLessThan(30);
});

it('a handle with a Kelvin sign isn’t taken for the same handle with a K', async () => {
  const author = createAuthor();
  author.name('evil', '\u212Aenji', '33');
  author.anchor();
  const server = new Server(author.world);
  const get = (path: string) => server.get(path.replace('/api/callers/kenji', '/api/callers/evil'));
  expectFailure(await check(server, 'kenji', { get }), 'name_differs');
});
