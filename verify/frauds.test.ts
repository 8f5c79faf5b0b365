import { describe, expect, it } from 'vitest';
import { createAuthor, honest, rewritten, withoutLoser, withOtherWallet } from './test-support/amara.ts';
import { DAY, HOUR, MINUTE, WALLET } from './test-support/history.ts';
import type { Author, EndedEvent, OpenedEvent } from './test-support/history.ts';
import { createSigner } from './test-support/keys.ts';
import { callerAt } from './test-support/responses.ts';
import { check, createStore, Server } from './test-support/server.ts';
import type { Verdict, VerifyOptions } from './verify.ts';

// What an operator could gain by, in four situations: on a first visit and on the next, with Solana and without.

/** `told` is verified or unconfirmed, with a headline that says what can't be proved. */
type Outcome = Verdict['outcome'] | 'told';
type Outcomes = readonly [first: Outcome, firstAlone: Outcome, next: Outcome, nextAlone: Outcome];

interface Fraud {
  readonly site: () => Server;
  readonly outcomes: Outcomes;
  readonly target?: string | null;
  readonly known?: VerifyOptions['known'];
}

const NOTICED: Outcomes = ['failed', 'failed', 'failed', 'failed'];
/** Noticed on Solana, or because this device has seen the honest log. */
const REWRITTEN: Outcomes = ['failed', 'unconfirmed', 'failed', 'failed'];

/** An operator who lies from the beginning: the false entries are anchored. */
function lyingAuthor(change: (author: Author) => void): Server {
  const author = createAuthor();
  change(author);
  author.anchor();
  return new Server(author.world);
}

const showing = (path: RegExp, change: (shown: never) => unknown): Server => honest().change(path, change);
const PROFILE = /^\/api\/callers\/amara$/;
const CALLS = /^\/api\/token-calls\/caller/;

/** The rival Bruno makes a call that triples. */
function withRival(change: (opened: OpenedEvent, ended: EndedEvent) => void): Server {
  return lyingAuthor((author) => {
    const opened = author.open('bruno', { unranked: null, thesis: null });
    author.wait(HOUR);
    const ended = author.end(opened, 3);
    Object.assign(ended, { uncounted: null });
    change(opened, ended);
    author.mark(opened, ended);
  });
}

const frauds: Record<string, Fraud> = {
  'a log rewritten without its worst loser': { site: () => rewritten(withoutLoser), outcomes: REWRITTEN },
  'a log rewritten without its worst loser, and anchored again': {
    site: () => {
      const server = rewritten(withoutLoser);
      server.memos.push(server.memoOf(server.size, server.world.now, 'again'));
      return server;
    },
    outcomes: REWRITTEN,
  },
  'a rewritten log under another name and key': {
    site: () => {
      const signer = createSigner('other.example', 5);
      const server = rewritten((events) =>
        withoutLoser(events).map((event) => (event.kind === 'keys' ? { ...event, signer } : event)),
      );
      server.signer = signer;
      return server;
    },
    outcomes: REWRITTEN,
  },
  'a rewritten log that names another wallet after its first entry': {
    site: () => {
      const server = rewritten((events) => {
        const [first, ...others] = withoutLoser(events);
        if (first?.kind !== 'keys') throw new Error('unreachable');
        return [first, { ...first, wallet: 'Other', isSigned: true }, ...others];
      });
      server.memos.push(server.memoOf(server.size, server.world.now, 'other', 'Other'));
      return server;
    },
    outcomes: REWRITTEN,
  },
  'a log kept beside the real one with another wallet, for a visitor who knows the README': {
    site: withOtherWallet,
    known: { wallet: WALLET },
    outcomes: NOTICED,
  },
  'an old checkpoint from before the loss': {
    site: () => {
      const server = honest();
      server.size = server.world.events.findIndex((event) => 'call' in event && event.call === 'call-6');
      return server;
    },
    outcomes: REWRITTEN,
  },
  'a second log that was anchored for others': {
    site: () => {
      const server = honest();
      const memo = server.memoOf(9, server.world.now - HOUR, 'second');
      server.memos.push({ ...memo, memo: memo.memo.replace(' 9 ', ' 8 ') });
      return server;
    },
    outcomes: ['failed', 'unconfirmed', 'failed', 'unconfirmed'],
  },
  'entries that only this visitor gets': {
    site: () => {
      const author = createAuthor();
      author.close(author.open('amara', { unranked: null }), 3);
      author.wait(HOUR);
      const server = new Server(author.world);
      server.memos.push(server.memoOf(author.world.events.length - 3, author.world.now, 'of the real log'));
      return server;
    },
    outcomes: ['unconfirmed', 'unconfirmed', 'unconfirmed', 'unconfirmed'],
  },
  'a winner inserted late with earlier times, whose gain is in Proven': {
    site: () => {
      const author = createAuthor(24);
      const time = author.world.now;
      author.wait(24 * MINUTE);
      const call = author.open('amara', { unranked: null, time, entryPrice: '0.01', mint: 'Winner' });
      const ended = author.end(call, 10);
      Object.assign(ended, { time: time + 20 * MINUTE, uncounted: null });
      const mark = { liquidityUsd: 500_000, solPriceUsd: '150', source: 'one' };
      const open = { ...mark, price: '0.01', seenAt: time + MINUTE };
      const end = { ...mark, price: '0.1', seenAt: time + 21 * MINUTE };
      author.world.now = time + 26 * MINUTE;
      author.add({ kind: 'marked', caller: 'amara', call: call.call, time: author.world.now, open, end });
      author.anchor();
      author.wait(2 * HOUR);
      author.anchor();
      const { world } = author;
      const anchors = world.events.map((event, at) => ({ at: event.time, size: at + 1 }));
      const { proven } = callerAt({ ...world, anchors }, 'amara', world.events.length)?.profile ?? {};
      return new Server(world).change(PROFILE, (profile: object) => ({ ...profile, proven }));
    },
    outcomes: ['failed', 'unconfirmed', 'failed', 'unconfirmed'],
  },
  'ten sealed calls, of which only the winner is opened within 38 days': {
    site: () => {
      const author = createAuthor();
      const calls = Array.from({ length: 10 }, () => author.open('amara', { unranked: null }));
      author.anchor();
      author.wait(HOUR);
      if (calls[0]) author.close(calls[0], 4);
      author.wait(39 * DAY);
      author.anchor();
      return new Server(author.world);
    },
    outcomes: NOTICED,
  },
  'a profile with another Avg Return': {
    site: () => showing(PROFILE, (profile: object) => ({ ...profile, avgReturn: 99 })),
    outcomes: NOTICED,
  },
  'a list of calls without the loser': {
    site: () => showing(CALLS, (calls: { id: string }[]) => calls.filter(({ id }) => id !== 'call-6')),
    outcomes: NOTICED,
  },
  'a directory in another order': {
    site: () => showing(/^\/api\/callers$/, (rows: object[]) => rows.toReversed()),
    target: null,
    outcomes: NOTICED,
  },
  'a directory without a rival': {
    site: () =>
      showing(/^\/api\/callers$/, (rows: { id: string }[]) => rows.filter(({ id }) => id !== 'bruno')),
    target: null,
    outcomes: NOTICED,
  },
  'two callers’ handles and X accounts exchanged': {
    site: () =>
      lyingAuthor((author) => {
        author.name('amara', 'bruno', '22');
        author.name('bruno', 'amara', '11');
      }),
    outcomes: NOTICED,
  },
  'a loser without marks, while others of that minute have a price of SOL': {
    site: () =>
      lyingAuthor((author) => {
        const opened = author.open('amara', { unranked: null });
        const rival = author.open('bruno', { unranked: null });
        author.wait(HOUR);
        const [ended, other] = [author.end(opened, 0.5), author.end(rival, 0.5)];
        const mark = { liquidityUsd: 500_000, price: '1', solPriceUsd: '150', source: 'one' };
        const [open, end] = [rival, other].map(({ time }) => ({ ...mark, seenAt: time + MINUTE }));
        const time = author.world.now + 3 * MINUTE;
        author.add({ kind: 'marked', caller: 'amara', call: ended.call, time, open: null, end: null });
        const marks = { open: open ?? null, end: end ?? null };
        author.add({ kind: 'marked', caller: 'bruno', call: other.call, time: time + 1, ...marks });
      }),
    outcomes: ['told', 'told', 'told', 'told'],
  },
  'a rival’s gain that counts as 0% for one source, though two had a price': {
    site: () => withRival((_, ended) => Object.assign(ended, { uncounted: 'one_source', sources: 2 })),
    target: 'bruno',
    outcomes: NOTICED,
  },
  'a rival’s call that is unranked for one source, though two had a price': {
    site: () => withRival((opened) => Object.assign(opened, { unranked: 'one_source', sources: 2 })),
    target: null,
    outcomes: NOTICED,
  },
  'a rival’s gain that counts as 0%, with other quotes than the log has': {
    site: () =>
      withRival((_, ended) => Object.assign(ended, { uncounted: 'one_source', sources: 2 })).change(
        /^\/api\/token-calls\/call-/,
        (detail: { quotes: object[] }) => ({
          ...detail,
          quotes: detail.quotes.with(3, { ...detail.quotes[3], failure: 'absent', price: null }),
        }),
      ),
    target: 'bruno',
    outcomes: NOTICED,
  },
};

describe.each(Object.entries(frauds))('%s', (name, { site, target = 'amara', known = {}, outcomes }) => {
  it.each([
    ['a first visit', outcomes[0], { isNext: false, isAlone: false }],
    ['a first visit without Solana', outcomes[1], { isNext: false, isAlone: true }],
    ['the next visit', outcomes[2], { isNext: true, isAlone: false }],
    ['the next visit without Solana', outcomes[3], { isNext: true, isAlone: true }],
  ] as const)(`${name}, on %s: %s`, async (_, expected, { isNext, isAlone }) => {
    const options = { store: createStore(), known, ...(isAlone && { callRpc: null }) };
    if (isNext) {
      const first = await check(honest(), target, options);
      expect(first).toMatchObject({ outcome: isAlone ? 'unconfirmed' : 'verified', failures: [] });
    }
    const server = site();
    // Until then, the published log may be older than an anchor.
    server.world.now += 11 * MINUTE;
    const { outcome, failures, headlines } = await check(server, target, options);
    if (expected === 'told') {
      expect(failures).toEqual([]);
      expect(headlines.join()).toContain('only our word says why');
    } else expect(outcome).toBe(expected);
    expect(headlines.join().includes('None missing')).toBe(expected === 'told' && !isAlone);
  });
});
