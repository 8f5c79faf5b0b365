import { describe, expect, it } from 'vitest';
import {
  falseAlarms,
  missedTampers,
  missedWholeLogTampers,
  scanCase,
  verifyCase,
} from './test-support/run.ts';
import { caseOf, startOf, tampers, wholeLogTampers } from './test-support/tamper.ts';

// tampering.deep.test.ts runs the same checks with 10,000 logs.

const SEED = 20_260_601;

it('the verifier finds the right reason in each of 150 tampered records', async () => {
  expect(await missedTampers({ seed: SEED, count: 150 })).toEqual([]);
});

it('the verifier finds the right reason in each of 40 scans of a tampered log', async () => {
  expect(await missedWholeLogTampers({ seed: SEED, count: 40, calls: 30 })).toEqual([]);
});

it('each kind of tampering is possible in at least one of the sample logs', () => {
  const starts = Array.from({ length: 12 }, (_, at) => startOf(SEED + at, at < 10 ? 12 : 120));
  const all = Object.entries({ ...tampers, ...wholeLogTampers });
  const impossible = all.filter(([, tamper]) => starts.every((start) => tamper(start) === null));
  expect(impossible.map(([name]) => name)).toEqual([]);
});

describe('honest logs', () => {
  it('honest logs pass in each of 150 records and scans', async () => {
    expect(await falseAlarms({ seed: SEED, count: 150 })).toEqual([]);
  });

  it('the verdict on an honest record lists what was checked and what was not', async () => {
    const { log, plan, caller } = startOf(SEED);
    const verdict = await verifyCase(caseOf(log, { caller, plan }));
    expect({ ...verdict, figures: null }).toMatchInlineSnapshot(`
      {
        "checked": [
          "The signature of calls.example on a log of 56 entries is right",
          "Every entry of the record is in the signed log",
          "No entry is missing, changed or backdated, and each is what was sealed",
          "The map of all callers has this record's last entry",
          "The public texts are those that were logged",
          "The handle and the name are those that were logged",
          "The figures on the site are those of the log",
          "The log is the one that was anchored on Solana",
        ],
        "entries": 31,
        "failures": [],
        "figures": null,
        "isPostponed": false,
        "since": 1780272060000,
        "unchecked": [
          {
            "what": "Whose key it is",
            "why": "first use: it came from the site itself, and is remembered from now on",
          },
          {
            "what": "The log has only grown since it was last seen here",
            "why": "this device sees it for the first time",
          },
        ],
      }
    `);
  });

  it('the verdict on an honest whole log lists what was checked', async () => {
    const { log, plan, caller } = startOf(SEED);
    const verdict = await scanCase(caseOf(log, { caller, plan }));
    expect(verdict.checked).toMatchInlineSnapshot(`
      [
        "The signature of calls.example on a log of 56 entries is right",
        "Every tile, entry, chain and map of the log is right",
        "The figures and the default order of the directory are those of the log",
        "The log is the one that was anchored on Solana",
      ]
    `);
  });
});
