import { beforeEach, expect, it, vi } from 'vitest';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import {
  STUB_GENESIS,
  stubChain,
  type StubResponse,
  type StubResponses,
} from '#test/payments/stub-solana.ts';
import { systemClock } from './system-clock.ts';

const signature = '5'.repeat(88);
const transaction = { bytes: Uint8Array.of(1, 2, 3), signature };
const taken: StubResponse = { result: signature };
const refusal = (message: string, code = -32002): StubResponse => ({
  error: { code, message: `Transaction simulation failed: ${message}` },
});
const NO_BLOCKHASH = refusal('Blockhash not found');
const NO_MONEY = refusal('Error processing Instruction 0: custom program error: 0x1');
const BAD_SIGNATURE = refusal('verification failure', -32003);
const ALREADY = refusal('This transaction has already been processed');
const BEHIND: StubResponse = { error: { code: -32005, message: 'Node is behind by 200 slots' } };
const statuses = (value: unknown): StubResponse => ({ result: { context: { slot: 500 }, value: [value] } });
const KNOWN = statuses({ slot: 490, confirmations: 3, err: null, confirmationStatus: 'processed' });
const UNKNOWN = statuses(null);
const rejected = (reason: string) => ({ rejection: expect.objectContaining({ reason }) });
const POOR = 'insufficient_funds';
const EXPIRED = 'blockhash_expired';

/** An endpoint's responses to the transaction and to the request for its status. Null: no response. */
type Script = readonly [send: StubResponse | null, status?: StubResponse];
const endpoint = ([send, status = UNKNOWN]: Script, silence: StubResponse = 'cut'): StubResponses => ({
  sendTransaction: send ?? silence,
  getSignatureStatuses: status,
});
const PRIMARY = ['primary'];
const BOTH = ['primary', 'fallback'];
const sends = (requests: readonly string[]) =>
  requests.filter((each) => each.endsWith('sendTransaction')).map((each) => each.split(' ')[0]);

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
interface Sending {
  readonly primary: Script;
  readonly fallback: Script;
  readonly sentTo: readonly string[];
}
const expectResult = async (result: unknown, { primary, fallback, sentTo }: Sending) => {
  const { chain, requests } = stubChain({ primary: endpoint(primary), fallback: endpoint(fallback) });
  expect(await chain.send(transaction)).toEqual(result);
  expect(sends(requests())).toEqual(sentTo);
};

it.each<[name: string, primary: Script, fallback: Script, sentTo: readonly string[]]>([
  ['by the primary alone', [taken], [taken], PRIMARY],
  ['by the fallback when the primary is down', [{ status: 503 }], [taken], BOTH],
  ['by the fallback when the primary cuts the connection', ['cut'], [taken], BOTH],
  ['by the fallback when the primary’s response has no signature', [{ result: null }], [taken], BOTH],
  ['by the fallback when the primary does not know its blockhash', [NO_BLOCKHASH], [taken], BOTH],
  ['when the primary does not respond and the fallback has processed it already', ['cut'], [ALREADY], BOTH],
  ['when it was processed before', [ALREADY], ['cut', 'cut'], PRIMARY],
  ['when the fallback rejects it but knows its signature', ['cut'], [NO_MONEY, KNOWN], BOTH],
  ['when the primary rejects it and the fallback knows its signature', [NO_MONEY], ['cut', KNOWN], PRIMARY],
])('a transaction counts as sent %s', (_name, primary, fallback, sentTo) =>
  expectResult({ signature }, { primary, fallback, sentTo }),
);

it.each<[reason: string, name: string, primary: Script, fallback: Script, sentTo: readonly string[]]>([
  [POOR, 'without a request to the fallback when the primary rejects it', [NO_MONEY], [taken], PRIMARY],
  ['other', 'when the primary rejects a signature', [BAD_SIGNATURE], [taken], PRIMARY],
  [POOR, 'by the fallback when the primary lags', [BEHIND], [NO_MONEY], BOTH],
  [EXPIRED, 'when neither endpoint knows its blockhash', [NO_BLOCKHASH], [NO_BLOCKHASH], BOTH],
  [
    POOR,
    'by the fallback when only the primary does not know its blockhash',
    [NO_BLOCKHASH],
    [NO_MONEY],
    BOTH,
  ],
  [
    EXPIRED,
    'when the primary does not know its blockhash and the fallback is down',
    [NO_BLOCKHASH],
    ['cut', 'cut'],
    PRIMARY,
  ],
])('a transaction is rejected with the reason %s: %s', (reason, _name, primary, fallback, sentTo) =>
  expectResult(rejected(reason), { primary, fallback, sentTo }),
);

it('a transaction is sent to both endpoints with the same bytes and preflight commitment', async () => {
  const bodies: string[] = [];
  const { chain } = stubChain({
    primary: endpoint(['cut']),
    fallback: endpoint([taken]),
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
it.each<[name: string, primary: Script, fallback: Script, most: number]>([
  ['when no endpoint responds', [null], [null], 4],
  ['when the primary does not respond and the fallback rejects it', [null], [NO_MONEY], 2],
  [
    'when the primary does not respond and the fallback does not know its blockhash',
    [null],
    [NO_BLOCKHASH],
    2,
  ],
  [
    'when the primary does not know its blockhash and the fallback does not respond',
    [NO_BLOCKHASH],
    [null],
    3,
  ],
  ['when the primary rejects it and no endpoint returns its status', [NO_MONEY, 'cut'], [taken, 'cut'], 1],
])('a transaction that may land is not reported as rejected %s', async (_name, primary, fallback, most) => {
  for (const silence of silences) {
    const { chain, requests } = stubChain({
      primary: endpoint(primary, silence),
      fallback: endpoint(fallback, silence),
    });
    await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
    expect(sends(requests()).length).toBeLessThanOrEqual(most);
  }
});

it('a transaction that may land is not reported as rejected when the primary hangs and the fallback rejects it', async () => {
  vi.useFakeTimers();
  const { chain } = stubChain({
    primary: endpoint(['hang']),
    fallback: endpoint([NO_MONEY]),
    clock: systemClock,
  });
  const rejection = expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
  await vi.advanceTimersByTimeAsync(20_000);
  await rejection;
});

it('a transaction that may land is not reported as rejected when the fallback is on another cluster', async () => {
  const stranger = { ...endpoint([taken]), getGenesisHash: [{ status: 503 }, { result: 'another' }] };
  const { chain, requests } = stubChain({
    primary: { ...endpoint(['cut']), getGenesisHash: { result: STUB_GENESIS } },
    fallback: stranger,
  });
  await expect(chain.send(transaction)).rejects.toThrow(PortUnavailableError);
  expect(sends(requests())).toEqual(['primary', 'primary']);
  await expect(chain.send(transaction)).rejects.toThrow(WrongClusterError);
});
