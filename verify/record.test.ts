import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64, canonical, sha256, utf8 } from './bytes.ts';
import { verifyRecord } from './record.ts';
import { verifyWholeLog } from './whole-log.ts';
import { buildLog, cosign, createSigner, signNote, type Json } from './test-support/build-log.ts';
import { callerPath, createStore, recordOf, serve } from './test-support/site.ts';
import { caseOf, ORIGIN, signerOf, startOf, storeWith } from './test-support/tamper.ts';

const SEED = 20_260_703;
const start = startOf(SEED);
const { log, plan, caller } = start;
const MINUTE_MS = 60_000;

const honest = () => {
  const { site, handle, now } = caseOf(log, { caller, plan });
  return { site, options: { source: site.source, callRpc: site.callRpc, store: createStore(), handle, now } };
};

const entryOf = (kind: string) => {
  const index = log.entries.findIndex((entry) => entry['kind'] === kind && entry['caller'] === caller);
  return { index, entry: log.entries[index] as Json };
};

describe('a receipt', () => {
  const receiptFor = (
    index: number,
    {
      content,
      time = plan.now - MINUTE_MS * 30,
      of = caller,
    }: { content: unknown; time?: number; of?: string },
  ) =>
    signNote(
      `${ORIGIN}/receipt\nentry ${index}\ncaller ${of}\ncontent ${String(content)}\ntime ${time}\n`,
      log.signer,
    );
  const check = async (receipt: string) => {
    const { failures, checked, unchecked } = await verifyRecord({ ...honest().options, receipt });
    return {
      failures,
      isKept: checked.includes('The receipt was kept'),
      skipped: unchecked.map(({ what }) => what),
    };
  };

  it('a receipt of a sealed entry or of an end counts as kept if the log has the entry', async () => {
    const sealed = entryOf('sealed');
    const kept = { failures: [], isKept: true };
    expect(await check(receiptFor(sealed.index, { content: sealed.entry['commitment'] }))).toMatchObject(
      kept,
    );
    const ended = entryOf('ended');
    const content = base64(await sha256(utf8(canonical(ended.entry['content']))));
    expect(await check(receiptFor(ended.index, { content }))).toMatchObject(kept);
  });

  it('a receipt is broken if the log has another entry, or none two minutes later', async () => {
    const { index, entry } = entryOf('sealed');
    const other = base64(await sha256(utf8('other')));
    for (const receipt of [
      receiptFor(index, { content: other }),
      receiptFor(9_999, { content: entry['commitment'] }),
    ]) {
      expect(await check(receipt)).toMatchObject({
        failures: [{ reason: 'receipt_broken' }],
        isKept: false,
      });
    }
    const fresh = receiptFor(9_999, { content: other, time: plan.now - MINUTE_MS });
    expect(await check(fresh)).toMatchObject({
      failures: [],
      skipped: expect.arrayContaining(['The receipt was kept']) as string[],
    });
  });

  it('a receipt signed by another key, or for another caller, proves nothing', async () => {
    const { index, entry } = entryOf('sealed');
    const content = entry['commitment'];
    const forged = signNote(receiptFor(index, { content }).split('\n\n')[0] + '\n', signerOf(99));
    expect(await check(forged)).toMatchObject({ failures: [{ reason: 'bad_signature' }] });
    const others = receiptFor(index, { content, of: 'somebody-else' });
    expect(await check(others)).toMatchObject({ failures: [{ reason: 'receipt_broken' }] });
  });
});

describe('a witness', () => {
  const witness = createSigner('witness.example/w1', createHash('sha256').update('w1').digest(), 4);
  const what = 'The log is the one that witness.example/w1 has cosigned';
  const check = async (change: (note: string) => string) => {
    const { site, options } = honest();
    site.change<string>('/log/checkpoint', change);
    const { failures, checked, unchecked } = await verifyRecord({ ...options, witnesses: [witness.line] });
    return {
      failures,
      isChecked: checked.includes(what),
      skipped: unchecked.filter((each) => each.what === what),
    };
  };

  it('a witness vouches for the log if its cosignature is beside the newest checkpoint', async () => {
    const verdict = await check((note) => note + cosign(note, witness, 1_679_315_147));
    expect(verdict).toEqual({ failures: [], isChecked: true, skipped: [] });
  });

  it('a witness that has not signed the newest checkpoint is listed as unchecked', async () => {
    const stranger = createSigner('witness.example/w2', Buffer.alloc(32, 2), 4);
    const verdict = await check((note) => note + cosign(note, stranger, 1_679_315_147));
    const why = `it hasn't signed the newest checkpoint, of ${log.entries.length} entries`;
    expect(verdict).toEqual({ failures: [], isChecked: false, skipped: [{ what, why }] });
  });

  it('a witness with a wrong signature, or with a cosignature of another log, makes the check fail', async () => {
    const wrong = await check((note) => note + cosign(note.replace('\n', 'x\n'), witness, 1_679_315_147));
    expect(wrong).toMatchObject({ failures: [{ reason: 'bad_signature' }], isChecked: false });
    const other = await check((note) => {
      const root = base64(Uint8Array.from(createHash('sha256').update('other').digest()));
      const forked = signNote(note.split('\n').with(2, root).slice(0, 3).join('\n') + '\n', log.signer);
      return forked + cosign(forked, witness, 1_679_315_147);
    });
    expect(other).toMatchObject({ failures: [{ reason: 'split_view' }], isChecked: false });
  });

  it('a witness’s key must be a key for cosignatures', async () => {
    const { failures } = await verifyRecord({ ...honest().options, witnesses: [log.signer.line] });
    expect(failures).toMatchObject([{ reason: 'wrong_key' }]);
  });
});

describe('the verifier', () => {
  it('the verifier reports withdrawn texts of a deleted account without failing', async () => {
    const { site, options } = honest();
    site.change(callerPath(caller), (record) => ({ ...record, texts: [] }));
    site.change(`/api/callers/${options.handle}`, (profile) => ({
      ...profile,
      firstName: 'Deleted caller',
      lastName: '',
    }));
    const { failures, unchecked } = await verifyRecord(options);
    expect({ failures, why: unchecked.map(({ why }) => why) }).toMatchObject({
      failures: [],
      why: expect.arrayContaining(['text withdrawn', 'the account was deleted']) as string[],
    });
  });

  it('the verifier fails if the site shows a name but withholds the logged name', async () => {
    const { site, options } = honest();
    site.change(callerPath(caller), (record) => ({ ...record, texts: [] }));
    expect(await verifyRecord(options)).toMatchObject({ failures: [{ reason: 'name_differs' }] });
  });

  it('the verifier refuses a record without the minutes that show when entries were logged', async () => {
    const { site, options } = honest();
    site.change(callerPath(caller), (record) => ({ ...record, minutes: [] }));
    const { failures } = await verifyRecord(options);
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(['not_in_log', 'wrong_time']));
  });

  it.each([
    [30, { failures: [], late: true }],
    [90, { failures: ['wrong_time'], late: false }],
  ])('the verifier judges an entry that was logged %d minutes late: %o', async (minutes, expected) => {
    const last = plan.minutes.at(-1) as (typeof plan.minutes)[number];
    const late = {
      ...plan,
      minutes: [...plan.minutes.slice(0, -1), { ...last, at: last.at + minutes * MINUTE_MS }],
    };
    const subject = last.events[0]?.caller as string;
    const { site, handle, now } = caseOf(buildLog(late, log.signer), { caller: subject, plan });
    const later = now + 2 * 60 * MINUTE_MS;
    const verdict = await verifyRecord({ source: site.source, store: createStore(), handle, now: later });
    expect({
      failures: [...new Set(verdict.failures.map(({ reason }) => reason))],
      late: verdict.unchecked.some(({ what }) => what.startsWith('The times of entries')),
    }).toEqual(expected);
  });

  it('the verifier compares no figure for five minutes after a call ended', async () => {
    const { site, options } = honest();
    const end = new Date(plan.now - MINUTE_MS).toISOString();
    site.change(`/api/callers/${options.handle}`, (profile) => ({
      ...profile,
      winRate: 1,
      lastCallTimestamp: end,
    }));
    const { failures, unchecked, isPostponed } = await verifyRecord(options);
    expect({ failures, isPostponed, what: unchecked.map(({ what }) => what) }).toMatchObject({
      failures: [],
      isPostponed: true,
      what: expect.arrayContaining(['The figures on the site are those of the log']) as string[],
    });
  });

  it('the verifier accepts a smaller checkpoint for five minutes, because of caches', async () => {
    const { options } = honest();
    const size = log.sizes.at(-2) as number;
    const site = caseOf(log, { caller, plan }).site;
    const recent = storeWith(log, site.size, plan.now - MINUTE_MS);
    const older = serve(log, size);
    const { failures } = await verifyRecord({ ...options, source: older.source, store: recent });
    expect(failures.filter(({ reason }) => reason === 'stale_checkpoint')).toEqual([]);
  });

  it('the verifier accepts an anchor of a larger log if it is at most five minutes old, because of caches', async () => {
    const { options } = honest();
    const site = serve(log, log.sizes.at(-2));
    const memo = `${ORIGIN} ${log.hashes.length} ${base64(await sha256(utf8('newer')))}`;
    const reasonsAfter = async (age: number) => {
      site.addMemo('newest', memo, plan.now - age);
      const { failures } = await verifyRecord({ ...options, source: site.source, callRpc: site.callRpc });
      return failures.map(({ reason }) => reason);
    };
    expect(await reasonsAfter(4 * MINUTE_MS)).toEqual([]);
    expect(await reasonsAfter(6 * MINUTE_MS)).toEqual(['stale_checkpoint']);
  });

  it('the verifier searches the chain for anchors even if the site lists none', async () => {
    const { site, options } = honest();
    site.change(callerPath(caller), (record) => ({ ...record, anchor: null }));
    site.addMemo('newest', `${ORIGIN} 9999 ${base64(await sha256(utf8('newer')))}`);
    const { failures, checked } = await verifyRecord(options);
    expect(failures).toMatchObject([{ reason: 'stale_checkpoint' }]);
    expect(checked).not.toContain('The log is the one that was anchored on Solana');
  });

  it('the verifier does not claim that the log was anchored on Solana if it did not query the chain', async () => {
    const { callRpc: _, ...options } = honest().options;
    const { checked, unchecked } = await verifyRecord(options);
    expect(checked.filter((what) => what.includes('anchor'))).toEqual([
      'The log contains the anchor that the site names',
    ]);
    expect(unchecked.map(({ what }) => what)).toContain('What the chain says');
  });

  it('the verifier reports that the newest map is over an hour old', async () => {
    const { options } = honest();
    const skippedAt = async (now: number) =>
      (await verifyRecord({ ...options, now })).unchecked.map(({ what }) => what);
    const newest = log.times.at(-1) as number;
    expect(await skippedAt(newest + 60 * MINUTE_MS)).not.toContain('Whether there are newer entries');
    expect(await skippedAt(newest + 61 * MINUTE_MS)).toContain('Whether there are newer entries');
  });

  it('the verifier does not claim that texts and names were compared if there were none', async () => {
    const { checked, unchecked } = await verifyRecord(
      respondFor(recordOf(log, 'newcomer', log.entries.length)),
    );
    expect(checked.filter((what) => /text|name/.test(what))).toEqual([]);
    expect(unchecked.map(({ what }) => what)).toContain('Whose record it is');
  });

  it('the verifier lists callers with ended calls whom the directory leaves out', async () => {
    const { site, options } = honest();
    site.change<{ id: string }[]>('/api/callers', (callers) => [
      ...callers.filter(({ id }) => id !== caller),
      newcomer,
    ]);
    const { unchecked } = await verifyWholeLog(options);
    expect(unchecked.map(({ what }) => what)).toContainEqual(expect.stringContaining(caller));
  });

  it('the verifier refuses malformed responses', async () => {
    const responses = [
      'not JSON',
      '[]',
      '{"checkpoint": 7}',
      JSON.stringify({ checkpoint: 'no note', map: {} }),
    ];
    for (const response of responses) {
      const { site, options } = honest();
      site.change(callerPath(caller), () => response);
      const { failures } = await verifyRecord(options);
      expect(failures).toMatchObject([{ reason: 'malformed' }]);
    }
  });

  it('the verifier refuses a bundle with JSON that is not canonical', async () => {
    const { site, options } = honest();
    const written = Buffer.from(JSON.stringify(log.entries[0], null, 1));
    const bundle = Buffer.concat([Buffer.of(written.length >> 8, written.length & 255), written]);
    site.changeBytes(`/log/tile/entries/000.p/${site.size}`, () => bundle);
    const { failures } = await verifyWholeLog(options);
    expect(failures).toMatchObject([{ reason: 'malformed', message: "Entry 0 of the log isn't canonical." }]);
  });

  it('the verifier accepts an anchor of an earlier wallet, and finds other logs that this wallet has anchored', async () => {
    const { site, options } = honest();
    site.change('/log/anchors', (response) => ({ ...response, address: 'TheNextWallet' }));
    expect((await verifyRecord(options)).failures).toEqual([]);
    const { size } = recordOf(log, caller, site.size).anchor;
    site.addMemo('hidden', `${ORIGIN} ${size} ${base64(await sha256(utf8('another log')))}`);
    expect((await verifyRecord(options)).failures).toMatchObject([{ reason: 'split_view' }]);
  });

  it('the verifier refuses a key whose id is wrong', async () => {
    const { options } = honest();
    const pinnedKey = log.signer.line.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
    expect((await verifyRecord({ ...options, pinnedKey })).failures).toMatchObject([{ reason: 'wrong_key' }]);
  });

  const NOBODY = { winRate: null, avgReturn: null, totalCalls: 0, endedCalls: 0, rankedCalls: 0 };
  const names = { twitterHandle: 'newcomer', firstName: '', lastName: '' };
  const newcomer = { ...NOBODY, ...names, id: 'newcomer', lastCallTimestamp: null };
  const respondFor = (record: unknown) => {
    const { options } = honest();
    const responses: Readonly<Record<string, unknown>> = {
      '/api/callers/newcomer': newcomer,
      '/api/callers/newcomer/statistics': {
        windows: { all: { medianReturn: null, bestReturn: null, worstReturn: null } },
      },
      '/log/callers/newcomer': record,
    };
    const fetchText = async (path: string) =>
      responses[path] === undefined ? options.source.fetchText(path) : JSON.stringify(responses[path]);
    return { ...options, source: { ...options.source, fetchText }, handle: 'newcomer' };
  };

  it('the verifier accepts the record of a caller without entries', async () => {
    const { failures } = await verifyRecord(respondFor(recordOf(log, 'newcomer', log.entries.length)));
    expect(failures).toEqual([]);
  });

  it("the verifier refuses a record with another caller's entries", async () => {
    const { failures } = await verifyRecord(respondFor(recordOf(log, caller, log.entries.length)));
    expect(failures[0]).toMatchObject({ reason: 'chain_broken' });
  });
});
