import { expect, it } from 'vitest';
import { LOG_ENTRY_MAX_BYTES } from '#schema/constants/log.ts';
import { AUTOMATIC_ENDS, UNCOUNTED_GAIN_REASONS, UNRANKED_REASONS } from '#schema/constants/market.ts';
import { MAX_UPDATES_PER_CALL } from '#schema/constants/messages.ts';
import { TOKEN_SYMBOL_MAX_LENGTH } from '#schema/constants/prices.ts';
import { MAX_SEALED_SHOWS } from '#schema/constants/running.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { createId } from '../../shared/ids.ts';
import { commit, createSalt, sealText } from './log-entries.ts';
import { sha256 } from '../../shared/sha256.ts';
import { createCaller, MINTS, makeCall } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { readLog } from '#test/log.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { readResponse } from '#test/responses.ts';
import { loggedContent } from '../market/calls/logged-call.ts';
import { buildEntry } from './build-entry.ts';

const longest = (texts: readonly string[]) =>
  texts.toSorted((one, other) => other.length - one.length)[0] ?? '';
const PRICE = `${'9'.repeat(30)}.${'9'.repeat(30)}`;
const NUMBER = 999_999_999;
const TIME = 9_999_999_999_999;

interface Content {
  readonly kind: string;
  readonly members: object;
}

const sealedRow = ({ kind, members }: Content) => ({
  number: NUMBER,
  content: JSON.stringify({ v: 1, ...members, kind, time: TIME }),
  salt: createSalt(),
});

it('the log entry of a call’s end with the maximum of revealed entries stays below the size limit', () => {
  const call = createId();
  const { commitment } = sealText('');
  const opened = loggedContent('entry', {
    id: call,
    quotes: [],
    values: {
      tokenMint: 'M'.repeat(44),
      tokenSymbol: '漢'.repeat(TOKEN_SYMBOL_MAX_LENGTH),
      entryPrice: PRICE,
      targetPrice: PRICE,
      stopPrice: PRICE,
      isPaidPromotion: false,
      unrankedReason: longest(UNRANKED_REASONS),
      thesis: 'A thesis',
    },
  });
  const ended = loggedContent('end', {
    id: call,
    quotes: [],
    values: {
      endPrice: PRICE,
      uncountedGainReason: longest(UNCOUNTED_GAIN_REASONS),
      automaticEnd: longest(AUTOMATIC_ENDS),
    },
  });
  // Each text is hidden once, and once more after each time that it is shown again.
  const acts = MAX_UPDATES_PER_CALL + 1 + 2 * MAX_SEALED_SHOWS;
  const sealed = [
    sealedRow({ kind: 'opened', members: opened.content }),
    ...Array.from({ length: MAX_UPDATES_PER_CALL }, () =>
      sealedRow({ kind: 'updated', members: { call, text: commitment } }),
    ),
    ...Array.from({ length: acts }, () =>
      sealedRow({ kind: 'hidden', members: { call, action: 'show_text', reason: commitment } }),
    ),
  ];
  const entry = buildEntry({
    row: {
      id: NUMBER,
      callerId: createId(),
      number: NUMBER,
      kind: 'ended',
      callId: call,
      content: JSON.stringify({ v: 1, ...ended.content, kind: 'ended', time: TIME }),
      salt: null,
    },
    previous: sha256(''),
    sealed,
  });
  expect(new TextEncoder().encode(entry).length).toBeLessThan(LOG_ENTRY_MAX_BYTES);
  expect((JSON.parse(entry) as { reveals: unknown[] }).reveals).toHaveLength(sealed.length);
});

it('sealed log entries of openings, updates and operator actions have the same members and length', async () => {
  const { app, operator } = await createOperatedApp();
  const caller = await createCaller(app, 'sealed_caller');
  const texts = { thesis: 'A long thesis. '.repeat(30), targetPrice: '2.123456789', isPaidPromotion: true };
  const { id } = await makeCall({ caller, mint: MINTS.WIF, price: 1.000_123, ...texts });
  await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await readResponse(caller.post('/api/telegram/send-update', { callId: id, message: 'Hold. '.repeat(99) }));
  await act(operator, { action: 'hide_text', kind: 'thesis', subjectId: id });
  await app.runJobs('log');
  const sealed = (await readLog(app)).filter(({ kind }) => kind === 'opened' || kind === 'updated');
  expect(sealed.map(({ kind }) => kind)).toEqual(['opened', 'opened', 'updated', 'updated']);
  const shapes = sealed.map(({ kind: _kind, ...entry }) => [Object.keys(entry), canonicalJson(entry).length]);
  expect(shapes[0]?.[0]).toEqual(['caller', 'commitment', 'number', 'previous', 'v']);
  expect(shapes).toEqual(shapes.map(() => shapes[0]));
});

it('a sealed entry’s commitment can’t be guessed from token, price and time without its salt', async () => {
  const { app } = await createOperatedApp();
  const caller = await createCaller(app, 'guessed_caller');
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.runJobs('log');
  const [entry] = (await readLog(app)).filter(({ kind }) => kind === 'opened');
  const [row] = await query<{ content: string; salt: string }>(
    "SELECT content, salt FROM log_entries WHERE kind = 'opened'",
  );
  const content = JSON.parse(row?.content ?? '') as Readonly<Record<string, Json>>;
  const opened = Date.parse(call.callTimestamp);
  const weakSalts = ['', call.id, caller.id, String(opened)].map((text) => btoa(text));
  weakSalts.push(btoa('\0'.repeat(32)), sha256(call.id), sha256(caller.id));
  const commitmentsWith = (salt: string) =>
    Object.values(MINTS).flatMap((mint) =>
      ['1.99', '2', '2.01'].flatMap((entryPrice) =>
        Array.from({ length: 21 }, (_, step) =>
          commit(salt, canonicalJson({ ...content, mint, entryPrice, time: opened + step - 10 })),
        ),
      ),
    );
  expect(commitmentsWith(row?.salt ?? '')).toContain(entry?.['commitment']);
  for (const salt of weakSalts) expect(commitmentsWith(salt)).not.toContain(entry?.['commitment']);
});
