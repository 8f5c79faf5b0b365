import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendResult } from '../ports/chain.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { STUB_GENESIS, stubChain, type StubAnswer, type StubAnswers } from '../test-support/stub-solana.ts';
import { systemClock } from './system-clock.ts';

const signature = '5'.repeat(88);
const transaction = { bytes: Uint8Array.of(1, 2, 3), signature };
const SENT: SendResult = { signature };
const taken: StubAnswer = { result: signature };
const refusal = (message: string, code = -32002): StubAnswer => ({
  error: { code, message: `Transaction simulation failed: ${message}` },
});
const NO_BLOCKHASH = refusal('Blockhash not found');
const NO_MONEY = refusal('Error processing Instruction 0: custom program error: 0x1');
const ALREADY = refusal('This transaction has already been processed');
const BEHIND: StubAnswer = { error: { code: -32005, message: 'Node is behind by 200 slots' } };
const statuses = (value: unknown): StubAnswer => ({ result: { context: { slot: 500 }, value: [value] } });
const KNOWN = statuses({ slot: 490, confirmations: 3, err: null, confirmationStatus: 'processed' });
const UNKNOWN = statuses(null);
const insufficient = { rejection: expect.objectContaining({ reason: 'insufficient_funds' }) };
const expired = { rejection: expect.objectContaining({ reason: 'blockhash_expired' }) };

const endpoint = (
  sendTransaction: StubAnswer | readonly StubAnswer[],
  getSignatureStatuses: StubAnswer = UNKNOWN,
): StubAnswers => ({ sendTransaction, getSignatureStatuses });
const sends = (questions: readonly string[]) =>
  questions.filter((each) => each.endsWith('sendTransaction')).map((each) => each.split(' ')[0]);

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a transaction is', () => {
  const rows: readonly [
    name: string,
    primary: StubAnswers,
    fallback: StubAnswers,
    result: unknown,
    sentTo: string[],
  ][] = [
    ['sent by the primary alone', endpoint(taken), endpoint(taken), SENT, ['primary']],
    [
      'sent by the fallback when the primary is down',
      endpoint({ status: 503 }),
      endpoint(taken),
      SENT,
      ['primary', 'fallback'],
    ],
    [
      'sent by the fallback when the primary cuts the line',
      endpoint('cut'),
      endpoint(taken),
      SENT,
      ['primary', 'fallback'],
    ],
    [
      'sent by the fallback when the primary answers no signature',
      endpoint({ result: null }),
      endpoint(taken),
      SENT,
      ['primary', 'fallback'],
    ],
    [
      'sent when the fallback has processed what the primary did not answer for',
      endpoint('cut'),
      endpoint(ALREADY),
      SENT,
      ['primary', 'fallback'],
    ],
    ['sent when it was processed before', endpoint(ALREADY), endpoint('cut', 'cut'), SENT, ['primary']],
    [
      'sent when the fallback refuses it but knows it',
      endpoint('cut'),
      endpoint(NO_MONEY, KNOWN),
      SENT,
      ['primary', 'fallback'],
    ],
    [
      'sent when one refuses it and the other knows it',
      endpoint(NO_MONEY),
      endpoint('cut', KNOWN),
      SENT,
      ['primary'],
    ],
    ['refused by the primary alone', endpoint(NO_MONEY), endpoint(taken), insufficient, ['primary']],
    [
      'refused for a signature',
      endpoint(refusal('verification failure', -32003)),
      endpoint(taken),
      { rejection: expect.objectContaining({ reason: 'other' }) },
      ['primary'],
    ],
    [
      'refused by the fallback when the primary only said that it lags',
      endpoint(BEHIND),
      endpoint(NO_MONEY),
      insufficient,
      ['primary', 'fallback'],
    ],
    [
      'sent by the fallback when the primary does not know its blockhash',
      endpoint(NO_BLOCKHASH),
      endpoint(taken),
      SENT,
      ['primary', 'fallback'],
    ],
    [
      'refused for its blockhash by both',
      endpoint(NO_BLOCKHASH),
      endpoint(NO_BLOCKHASH),
      expired,
      ['primary', 'fallback'],
    ],
    [
      'refused for what the one that knows its blockhash says',
      endpoint(NO_BLOCKHASH),
      endpoint(NO_MONEY),
      insufficient,
      ['primary', 'fallback'],
    ],
    [
      'refused for its blockhash when nobody else is there to have it',
      endpoint(NO_BLOCKHASH),
      endpoint('cut', 'cut'),
      expired,
      ['primary'],
    ],
  ];
  it.each(rows)('%s', async (_name, primary, fallback, result, sentTo) => {
    const { chain, questions } = stubChain({ primary, fallback });
    expect(await chain.send(transaction)).toEqual(result);
    expect(sends(questions())).toEqual(sentTo);
  });

  it('sent as the same bytes to both, with preflight at confirmed', async () => {
    const bodies: string[] = [];
    const { chain } = stubChain({
      primary: endpoint('cut'),
      fallback: endpoint(taken),
      onBody: (body) => bodies.push(body),
    });
    await chain.send(transaction);
    const sent = bodies
      .filter((body) => body.includes('sendTransaction'))
      .map((body) => (JSON.parse(body) as { params: unknown }).params);
    expect(sent).toEqual(
      [0, 1].map(() => ['AQID', { encoding: 'base64', preflightCommitment: 'confirmed' }]),
    );
  });
});

describe('a transaction may be on its way', () => {
  const silences: readonly StubAnswer[] = [
    'cut',
    { status: 503 },
    { status: 429 },
    { error: { code: -32603, message: 'Internal error' } },
    { status: 200, body: 'no JSON' },
    { result: 7 },
  ];
  const rows: readonly [
    name: string,
    primary: (silence: StubAnswer) => StubAnswers,
    fallback: (silence: StubAnswer) => StubAnswers,
    most: number,
  ][] = [
    ['when nobody answers', endpoint, endpoint, 4],
    ['when one does not answer and the other refuses it', endpoint, () => endpoint(NO_MONEY), 2],
    [
      'when one does not answer and the other does not know its blockhash',
      endpoint,
      () => endpoint(NO_BLOCKHASH),
      2,
    ],
    [
      'when one does not know its blockhash and the other does not answer',
      () => endpoint(NO_BLOCKHASH),
      endpoint,
      3,
    ],
    [
      'when it was refused and nobody can say whether it is known',
      () => endpoint(NO_MONEY, 'cut'),
      () => endpoint(taken, 'cut'),
      1,
    ],
  ];
  it.each(rows)('%s', async (_name, primary, fallback, most) => {
    for (const silence of silences) {
      const { chain, questions } = stubChain({ primary: primary(silence), fallback: fallback(silence) });
      await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
      expect(sends(questions()).length).toBeLessThanOrEqual(most);
    }
  });

  it('when the primary hangs, whatever reason the fallback gives', async () => {
    vi.useFakeTimers();
    const { chain } = stubChain({
      primary: endpoint('hang'),
      fallback: endpoint(NO_MONEY),
      clock: systemClock,
    });
    const refused = expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
    await vi.advanceTimersByTimeAsync(20_000);
    await refused;
  });

  it('even when the fallback turns out to be on another cluster', async () => {
    const stranger = { ...endpoint(taken), getGenesisHash: [{ status: 503 }, { result: 'another' }] };
    const { chain, questions } = stubChain({
      primary: { ...endpoint('cut'), getGenesisHash: { result: STUB_GENESIS } },
      fallback: stranger,
    });
    await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
    expect(sends(questions())).toEqual(['primary', 'primary']);
    await expect(chain.send(transaction)).rejects.toThrow(WrongClusterError);
  });
});
