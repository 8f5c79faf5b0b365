import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthor, expectFailure } from './test-support/amara.ts';
import { buildLog, commitTo, rootsOf, toCanonical, type Json } from './test-support/build.ts';
import { HOUR, type Author } from './test-support/history.ts';
import { check, Server } from './test-support/server.ts';
import type { verify } from './verify.ts';

// Verifiers read logs of older and newer versions. In these tests, version 2 adds a member to every object.

const CACHE = join(import.meta.dirname, '../.cache');
let folder: string;
let verifyNewer: typeof verify;

/** Copies the verifier and teaches the copy version 2. */
beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'newer-verifier-'));
  cpSync(import.meta.dirname, folder, {
    recursive: true,
    filter: (path) => !/test|tsconfig/.test(basename(path)),
  });
  const entries = join(folder, 'entries.ts');
  const source = readFileSync(entries, 'utf8')
    .replace('NEWEST_VERSION = 1', 'NEWEST_VERSION = 2')
    .replaceAll('exactly({', 'exactly({ more: since(2, isText),')
    .replace('import {', 'import { since,');
  writeFileSync(entries, source);
  ({ verify: verifyNewer } = (await import(join(folder, 'verify.ts'))) as { verify: typeof verify });
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Lets Amara make a call that begins before an announcement, and one after it. */
function announceAndCall(author: Author): void {
  const before = author.open('amara', { unranked: null });
  author.announce(2);
  author.anchor();
  author.wait(HOUR);
  author.close(before, 1.2);
  author.name('amara', 'amara', '11');
  author.anchor();
  const after = author.open('amara', { unranked: null });
  author.wait(HOUR);
  author.close(after, 0.5);
  author.anchor();
}

function newerLog(): Author {
  const author = createAuthor();
  announceAndCall(author);
  return author;
}

it('an older verifier accepts a newer log and counts the entries that are newer than itself', async () => {
  const author = newerLog();
  const pinned = { kind: 'pinned', caller: 'bruno' } as const;
  author.add({ ...pinned, time: author.world.now + 1_000 });
  author.anchor();
  const verdict = await check(new Server(author.world), null);
  expect(verdict).toMatchObject({ outcome: 'unconfirmed', failures: [] });
  expect(verdict.headlines.slice(0, 2)).toEqual([
    '2 callers, 17 calls that fit together.',
    '7 entries are newer than this verifier.',
  ]);
});

it('a newer verifier accepts an older log without a note about versions', async () => {
  const verdict = await check(new Server(createAuthor().world), null, {}, verifyNewer);
  expect(verdict).toMatchObject({ outcome: 'verified', failures: [] });
  expect(verdict.headlines.join()).not.toContain('newer than this verifier');
});

it('a newer verifier accepts a log that changed to the verifier’s version', async () => {
  const verdict = await check(new Server(newerLog().world), null, {}, verifyNewer);
  expect(verdict).toMatchObject({ outcome: 'verified', failures: [] });
  expect(verdict.headlines.join()).not.toContain('newer than this verifier');
});

/** Changes the log's last entry of a kind. */
function serveChanged(author: Author, kind: string, change: (entry: Json) => Json): Server {
  const { entries } = buildLog(author.world.events);
  const place = entries.findLastIndex((entry) => entry['kind'] === kind);
  const log = buildLog(author.world.events, (entry, index) => (index === place ? change(entry) : entry));
  return new Server(author.world, log);
}

it('an older verifier accepts a newer log with unknown kinds of content, entries and texts', async () => {
  const author = newerLog();
  author.update(author.open('amara', { unranked: null }));
  author.wait(HOUR);
  for (const call of author.openCalls('amara')) author.close(call, 0.5);
  author.announce(3);
  author.anchor();
  const { world } = author;
  const { entries, numbers } = buildLog(world.events);
  const [updated, ended] = ['updated', 'ended'].map((kind) =>
    entries.findLastIndex((each) => each['kind'] === kind),
  );
  const [opening, update] = (entries[ended ?? 0]?.['reveals'] ?? []) as { content: Json; salt: string }[];
  const { text: _, ...rest } = update?.content ?? {};
  const content = { ...rest, kind: 'moved', stop: '1' };
  const commitment = commitTo({ text: toCanonical(content), salt: update?.salt ?? '' });
  const log = buildLog(world.events, (entry, index) => {
    if (index === updated) return { ...entry, commitment };
    if (index === ended) return { ...entry, reveals: [opening, { ...update, content }] };
    return entry['kind'] === 'format' && entry['v'] === 2 ? { ...entry, kind: 'rule', number: 5 } : entry;
  });
  const number = numbers[updated ?? 0];
  const server = new Server(world, log).change(/^\/log\/texts\/amara/, (texts: Json[]) =>
    texts.map((each) => (each['number'] === number ? { ...each, name: 'reason' } : each)),
  );
  expect(await check(server, null)).toMatchObject({ outcome: 'unconfirmed', failures: [] });
});

it('an entry of a version that the log skipped is noticed', async () => {
  const author = createAuthor();
  author.announce(2);
  author.announce(4);
  author.name('amara', 'amara', '11');
  author.anchor();
  expectFailure(
    await check(
      serveChanged(author, 'named', (entry) => ({ ...entry, v: 3 })),
      null,
    ),
    'rule_broken',
  );
});

it('a deeply nested entry of a newer version fails the check', async () => {
  const server = serveChanged(newerLog(), 'marked', (entry) => ({ ...entry, more: 'deep' }));
  const depth = 30_000;
  server.data = server.data.map((entry) =>
    String(entry).replace('"more":"deep"', `"more":${'['.repeat(depth)}${']'.repeat(depth)}`),
  );
  server.roots = rootsOf(server.data);
  expectFailure(await check(server, null), 'malformed');
});

it.each([
  ['without a member of its version', newerLog, (entry: Json) => ({ ...entry, more: undefined })],
  ['with a member of a later version', createAuthor, (entry: Json) => ({ ...entry, more: 'new' })],
])('a newer verifier refuses an entry %s', async (_, author, change) => {
  const server = serveChanged(author(), 'marked', change);
  expectFailure(await check(server, null, {}, verifyNewer), 'malformed');
});

it.each([
  ['without a known member', (entry: Json) => ({ ...entry, rule: undefined })],
  ['with another type of a known member', (entry: Json) => ({ ...entry, rule: 1 })],
])('an older verifier refuses a newer entry %s', async (_, change) => {
  expectFailure(await check(serveChanged(newerLog(), 'marked', change), null), 'malformed');
});

it.each([
  ['a changed end price', 'ended', { endPrice: '99' }, 'figure_differs'],
  ['an end that reveals nothing', 'ended', { reveals: [] }, 'commitment_broken'],
  ['a missing link to the previous entry', 'named', { previous: null }, 'chain_broken'],
  ['a time in the future', 'named', { time: Date.UTC(2100, 0, 1) }, 'wrong_time'],
] as const)('an older verifier notices %s in a newer entry', async (_, kind, change, reason) => {
  const server = serveChanged(newerLog(), kind, (entry) => ({ ...entry, ...change }));
  expectFailure(await check(server, null), reason);
});

it('an end that reveals content of another version than its sealed entry is noticed', async () => {
  const { world } = createAuthor();
  const { entries } = buildLog(world.events);
  const ended = entries.findLastIndex(({ kind }) => kind === 'ended');
  const { reveals = [] } = (entries[ended] ?? {}) as {
    reveals?: { content: Json; salt: string; number: number }[];
  };
  const [opening] = reveals;
  const content = { ...opening?.content, v: 2, more: 'new' };
  const commitment = commitTo({ text: toCanonical(content), salt: opening?.salt ?? '' });
  const isOpening = ({ caller, number }: Json) =>
    caller === entries[ended]?.['caller'] && number === opening?.number;
  const log = buildLog(world.events, (entry, index) => {
    if (index === ended) return { ...entry, reveals: [{ ...opening, content }] };
    return isOpening(entry) ? { ...entry, commitment } : entry;
  });
  expectFailure(await check(new Server(world, log), null), 'commitment_broken');
});
