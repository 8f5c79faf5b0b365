import { getTableColumns } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { calls } from '#schema/tables/calls.ts';
import { factsOf } from '#schema/tables/table.ts';
import { isEntry, OPENING_TEXTS } from './entries.ts';

// The verifier has its own description of the log, which must match what the columns of a call declare.

const HASH = `${'A'.repeat(43)}=`;
const common = { v: 1, call: 'call', time: 1, quotes: HASH };

/** The declared columns that are in the log's entry for a time. */
const declaredAt = (time: 'entry' | 'end') =>
  Object.entries(getTableColumns(calls)).flatMap(([key, { notNull, dataType }]) => {
    const facts = factsOf(calls).columns[key];
    if (facts?.fixed !== time || facts.logged === undefined) return [];
    const filled = { string: facts.treatment === 'erase' ? HASH : '1', boolean: true }[String(dataType)];
    return [
      { member: facts.logged, filled, empty: notNull ? filled : null, isText: facts.treatment === 'erase' },
    ];
  });

const valuesAt = (time: 'entry' | 'end', value: 'filled' | 'empty') =>
  Object.fromEntries(declaredAt(time).map((each) => [each.member, each[value]]));

const entryWith = (opening: object, end: object) => ({
  ...common,
  kind: 'ended',
  caller: 'caller',
  number: 2,
  previous: null,
  ...end,
  reveals: [{ number: 1, salt: HASH, content: { ...common, kind: 'opened', ...opening } }],
});

it.each(['filled', 'empty'] as const)(
  'the verifier accepts an entry whose columns declared in the schema are all %s',
  (value) => {
    // Only an active call has no end price.
    const end = { ...valuesAt('end', value), endPrice: '1' };
    expect(isEntry(entryWith(valuesAt('entry', value), end))).toBe(true);
  },
);

it.each(['entry', 'end'] as const)(
  'the verifier requires each member that the schema declares for a call’s %s',
  (time) => {
    const [opening, end] = [valuesAt('entry', 'filled'), valuesAt('end', 'filled')];
    for (const { member } of declaredAt(time)) {
      const without = { [member]: undefined };
      const entry =
        time === 'entry'
          ? entryWith({ ...opening, ...without }, end)
          : entryWith(opening, { ...end, ...without });
      expect(isEntry(entry), member).toBe(false);
    }
  },
);

it('the verifier compares all texts of a call', () => {
  const texts = declaredAt('entry').filter(({ isText }) => isText);
  expect(texts.map(({ member }) => member)).toEqual(OPENING_TEXTS);
});

it('all columns of a call except seven declare when their value becomes final', () => {
  const unfixed = Object.entries(factsOf(calls).columns).filter(([, { fixed }]) => fixed === undefined);
  expect(unfixed.map(([key]) => key)).toEqual([
    'countedChange',
    'followerRule',
    'followerPpm',
    'solPpm',
    'copied',
    'isLate',
    'archivedEntries',
  ]);
});
