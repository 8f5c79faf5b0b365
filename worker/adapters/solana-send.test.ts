import { beforeEach, expect, it, vi } from 'vitest';
import type { SendResult } from '../ports/chain.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import {
  STUB_GENESIS,
  stubChain,
  type StubResponse,
  type StubResponses,
} from '../test-support/payments/stub-solana.ts';
import { systemClock } from './system-clock.ts';

const signature = '5'.repeat(88);
const transaction = { bytes: Uint8Array.of(1, 2, 3), signature };
const SENT: SendResult = { signature };
const taken: StubResponse = { result: signature };
const refusal = (message: string, code = -32002): StubResponse => ({
  error: { code, message: `Transaction simulation failed: ${message}` },
});
const NO_BLOCKHASH = refusal('Blockhash not found');
const NO_MONEY = refusal('Error processing Instruction 0: custom program error: 0x1');
const ALREADY = refusal('This transaction has already been processed');
const BEHIND: StubResponse = { error: { code: -32005, message: 'Node is behind by 200 slots' } };
const statuses = (value: unknown): StubResponse => ({ result: { context: { slot: 500 }, value: [value] } });
const KNOWN = statuses({ slot: 490, confirmations: 3, err: null, confirmationStatus: 'processed' });
const UNKNOWN = statuses(null);
const insufficient = { rejection: expect.objectContaining({ reason: 'insufficient_funds' }) };
const expired = { rejection: expect.objectContaining({ reason: 'blockhash_expired' }) };

const endpoint = (
  sendTransaction: StubResponse | readonly StubResponse[],
  getSignatureStatuses: StubResponse = UNKNOWN,
): StubResponses => ({ sendTransaction, getSignatureStatuses });
const sends = (requests: readonly string[]) =>
  requests.filter((each) => each.endsWith('sendTransaction')).map((each) => each.split(' ')[0]);

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
const results: readonly [
  name: string,
  primary: StubResponses,
  fallback: StubResponses,
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
    'sent by the fallback when the primary cuts the connection',
    endpoint('cut'),
    endpoint(taken),
    SENT,
    ['primary', 'fallback'],
  ],
  [
    'sent by the fallback when the primary’s response has no signature',
    endpoint({ result: null }),
    endpoint(taken),
    SENT,
    ['primary', 'fallback'],
  ],
  [
    'sent when the primary does not respond and the fallback has processed it already',
    endpoint('cut'),
    endpoint(ALREADY),
    SENT,
    ['primary', 'fallback'],
  ],
  ['sent when it was processed before', endpoint(ALREADY), endpoint('cut', 'cut'), SENT, ['primary']],
  [
    'sent when the fallback rejects it but knows its signature',
    endpoint('cut'),
    endpoint(NO_MONEY, KNOWN),
    SENT,
    ['primary', 'fallback'],
  ],
  [
    'sent when the primary rejects it and the fallback knows its signature',
    endpoint(NO_MONEY),
    endpoint('cut', KNOWN),
    SENT,
    ['primary'],
  ],
  [
    'rejected without a request to the fallback when the primary rejects it',
    endpoint(NO_MONEY),
    endpoint(taken),
    insufficient,
    ['primary'],
  ],
  [
    'rejected when the primary rejects a signature',
    endpoint(refusal('verification failure', -32003)),
    endpoint(taken),
    { rejection: expect.objectContaining({ reason: 'other' }) },
    ['primary'],
  ],
  [
    'rejected by the fallback when the primary lags',
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
    'rejected as expired when neither endpoint knows its blockhash',
    endpoint(NO_BLOCKHASH),
    endpoint(NO_BLOCKHASH),
    expired,
    ['primary', 'fallback'],
  ],
  [
    'rejected with the fallback’s reason when only the primary does not know its blockhash',
    endpoint(NO_BLOCKHASH),
    endpoint(NO_MONEY),
    insufficient,
    ['primary', 'fallback'],
  ],
  [
    'rejected as expired when the primary does not know its blockhash and the fallback is down',
    endpoint(NO_BLOCKHASH),
    endpoint('cut', 'cut'),
    expired,
    ['primary'],
  ],
];
it.each(results)('a transaction is %s', async (_name, primary, fallback, result, sentTo) => {
  const { chain, requests } = stubChain({ primary, fallback });
  expect(await chain.send(transaction)).toEqual(result);
  expect(sends(requests())).toEqual(sentTo);
});

it('a transaction goes to both endpoints with the same bytes and with preflight at commitment confirmed', async () => {
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
  expect(sent).toEqual([0, 1].map(() => ['AQID', { encoding: 'base64', preflightCommitment: 'confirmed' }]));
});

const silences: readonly StubResponse[] = [
  'cut',
  { status: 503 },
  { status: 429 },
  { error: { code: -32603, message: 'Internal error' } },
  { status: 200, body: 'no JSON' },
  { result: 7 },
];
const uncertainResults: readonly [
  name: string,
  primary: (silence: StubResponse) => StubResponses,
  fallback: (silence: StubResponse) => StubResponses,
  most: number,
][] = [
  ['when no endpoint responds', endpoint, endpoint, 4],
  ['when the primary does not respond and the fallback rejects it', endpoint, () => endpoint(NO_MONEY), 2],
  [
    'when the primary does not respond and the fallback does not know its blockhash',
    endpoint,
    () => endpoint(NO_BLOCKHASH),
    2,
  ],
  [
    'when the primary does not know its blockhash and the fallback does not respond',
    () => endpoint(NO_BLOCKHASH),
    endpoint,
    3,
  ],
  [
    'when the primary rejects it and no endpoint returns its status',
    () => endpoint(NO_MONEY, 'cut'),
    () => endpoint(taken, 'cut'),
    1,
  ],
];
it.each(uncertainResults)(
  'a transaction that may land is not reported as rejected %s',
  async (_name, primary, fallback, most) => {
    for (const silence of silences) {
      const { chain, requests } = stubChain({ primary: primary(silence), fallback: fallback(silence) });
      await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
      expect(sends(requests()).length).toBeLessThanOrEqual(most);
    }
  },
);

it('a transaction that may land is not reported as rejected when the primary hangs and the fallback rejects it', async () => {
  vi.useFakeTimers();
  const { chain } = stubChain({
    primary: endpoint('hang'),
    fallback: endpoint(NO_MONEY),
    clock: systemClock,
  });
  const rejection = expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
  await vi.advanceTimersByTimeAsync(20_000);
  await rejection;
});

it('a transaction that may land is not reported as rejected when the fallback is on another cluster', async () => {
  const stranger = { ...endpoint(taken), getGenesisHash: [{ status: 503 }, { result: 'another' }] };
  const { chain, requests } = stubChain({
    primary: { ...endpoint('cut'), getGenesisHash: { result: STUB_GENESIS } },
    fallback: stranger,
  });
  await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
  expect(sends(requests())).toEqual(['primary', 'primary']);
  await expect(chain.send(transaction)).rejects.toThrow(WrongClusterError);
});
