import { expect } from 'vitest';
import type { Reason, Verdict } from '../verify.ts';
import { Author, DAY, HOUR, MINUTE, type BuiltEvent } from './history.ts';
import { Server } from './server.ts';

/** A caller with an ended call on each day, one loser among them, and another caller. */
export function createAuthor(days = 14): Author {
  const author = new Author(1);
  author.name('amara', 'amara', '11');
  author.name('bruno', 'bruno', '22');
  author.anchor();
  for (let day = 0; day < days; day += 1) {
    const mint = `Mint of day ${day}`;
    for (const caller of day === 5 ? ['amara', 'bruno'] : ['amara']) {
      const call = author.open(caller, {
        unranked: null,
        mint,
        thesis: author.text(`Because of day ${day}`),
      });
      author.anchor();
      author.wait(HOUR);
      const ended = author.end(call, day === 5 ? 0.5 : 1.3 + day / 100);
      author.anchor();
      const mark = { liquidityUsd: 500_000, solPriceUsd: '150', source: 'one' };
      const open = { ...mark, price: call.entryPrice, seenAt: call.time + MINUTE };
      const end = { ...mark, price: ended.endPrice, seenAt: ended.time + MINUTE };
      author.add({ kind: 'marked', caller, call: call.call, time: author.world.now + MINUTE, open, end });
      author.anchor();
    }
    author.wait(DAY - HOUR);
    author.anchor();
  }
  return author;
}

/** Opens and ends a call whose entry states an hour after the anchor that includes it. */
export function playPostdatedCall(author: Author): void {
  const call = author.open('amara', { time: author.world.now + HOUR });
  author.world.now -= HOUR;
  author.anchor();
  author.wait(2 * HOUR);
  author.end(call);
  author.anchor();
}

export const honest = (days?: number): Server => new Server(createAuthor(days).world);

/** A site whose log differs from the anchored one. */
export function rewritten(change: (events: BuiltEvent[]) => BuiltEvent[], days?: number): Server {
  const { world, memos } = honest(days);
  const server = new Server({ ...world, events: change(structuredCloneOf(world.events)) });
  server.memos = memos;
  return server;
}

/** Signers can't be cloned. */
const structuredCloneOf = (events: readonly BuiltEvent[]) =>
  events.map((event) => (event.kind === 'keys' ? { ...event } : structuredClone(event)));

/** Leaves out the caller's only loss. */
export const withoutLoser = (events: BuiltEvent[]) =>
  events.filter((event) => !('call' in event) || event.call !== 'call-6');

/** A log without the caller’s only loss that was anchored by another wallet all along. */
export const withOtherWallet = () => {
  const other = rewritten((events) =>
    withoutLoser(events).map((event) => (event.kind === 'keys' ? { ...event, wallet: 'Other' } : event)),
  );
  const { events, now } = other.world;
  other.memos = events.map((event, at) => other.memoOf(at + 1, event.time + MINUTE, `${at}`, 'Other'));
  other.memos.push(other.memoOf(events.length, now, 'newest', 'Other'));
  return other;
};

export function expectFailure({ outcome, failures, headlines }: Verdict, reason: Reason): void {
  expect(failures.map((failure) => failure.reason)).toContain(reason);
  const expected = reason === 'unavailable' ? 'unavailable' : 'failed';
  expect({ outcome, headlines }).toEqual({ outcome: expected, headlines: [] });
  for (const { meaning, message } of failures) expect(meaning.length * message.length).toBeGreaterThan(0);
}
