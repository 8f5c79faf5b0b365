import { beforeEach, expect, it, vi } from 'vitest';
import type { AbsenceQuery } from '../ports/chain.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { stubChain, type StubResponse, type StubResponses } from '#test/payments/stub-solana.ts';

const signature = '5'.repeat(88);
const BY_SLOT: AbsenceQuery = { signature, upTo: { slot: 1_000 } };
const BY_HEIGHT: AbsenceQuery = { signature, upTo: { blockHeight: 900 } };

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

/** Builds an endpoint's responses. `nodeSlot` is the newest slot of the node that returns the status. */
const endpoint = ({
  slot = 1_001,
  height = 901,
  status = null,
  nodeSlot = 1_040,
}: { slot?: number; height?: number; status?: unknown; nodeSlot?: number } = {}): StubResponses => ({
  getEpochInfo: {
    result: {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: 0,
      slotIndex: 1,
      slotsInEpoch: 432_000,
      transactionCount: null,
    },
  },
  getSignatureStatuses: { result: { context: { slot: nodeSlot }, value: [status] } },
});
const landed = (confirmationStatus: string, err: unknown = null) => ({
  slot: 990,
  confirmations: null,
  err,
  confirmationStatus,
});
const withStatuses = (getSignatureStatuses: StubResponse) => ({ ...endpoint(), getSignatureStatuses });
const NO_HISTORY: StubResponse = {
  error: { code: -32011, message: 'Transaction history is not available from this node' },
};
const silent: Record<string, StubResponse> = { getEpochInfo: 'cut', getSignatureStatuses: 'cut' };

/** Returns two chains: each endpoint is the primary of one of them. */
const bothWays = (one: StubResponses, other: StubResponses) => [
  stubChain({ primary: one, fallback: other }),
  stubChain({ primary: other, fallback: one }),
];

const expectFound = async (found: readonly string[], other: StubResponses) => {
  for (const query of [BY_SLOT, BY_HEIGHT]) {
    for (const { chain } of bothWays(endpoint(), other)) {
      expect(await chain.absentAtFinalized([query])).toEqual(new Set(found));
    }
  }
};

it('a signature is proved absent if both endpoints have finalized a block after its expiry and don’t know the signature', () =>
  expectFound([signature], endpoint()));

it.each(
  Object.entries<StubResponses>({
    'has not finalized past the signature’s expiry': endpoint({ slot: 1_000, height: 900 }),
    'has processed the transaction': endpoint({ status: landed('processed') }),
    'returns statuses of an older slot than the slot that it has finalized': endpoint({ nodeSlot: 1_000 }),
    'does not respond': silent,
    'fails to return statuses': withStatuses({ status: 500 }),
    'returns too few statuses': withStatuses({ result: { context: { slot: 2_000 }, value: [] } }),
    'stores no history': withStatuses(NO_HISTORY),
  }),
)('a signature isn’t proved absent if one endpoint %s', (_what, other) => expectFound([], other));

/** Ten times the life of a blockhash past the height of `BY_HEIGHT`. */
const LATER = { slot: 10_000, height: 900 + 1_500, nodeSlot: 10_000 };
const EVEN_LATER = { ...LATER, height: LATER.height + 1 };
const BEHIND = { slot: 500, height: 400 };

it.each<[name: string, isAbsent: boolean, one: StubResponses, other: StubResponses]>([
  ['does not respond', true, endpoint(EVEN_LATER), silent],
  ['lags behind', true, endpoint(EVEN_LATER), endpoint(BEHIND)],
  ['does not respond, less than 1,500 blocks after the expiry', false, endpoint(LATER), silent],
  [
    'lags behind but has processed the transaction',
    false,
    endpoint(EVEN_LATER),
    endpoint({ ...BEHIND, status: landed('processed') }),
  ],
])(
  'if the other endpoint %s, one endpoint alone proves an expired signature absent: %s',
  async (_name, isAbsent, one, other) => {
    for (const [query, found] of [
      [BY_HEIGHT, isAbsent ? [signature] : []],
      [BY_SLOT, []],
    ] as const) {
      for (const { chain } of bothWays(one, other)) {
        expect(await chain.absentAtFinalized([query])).toEqual(new Set(found));
      }
    }
  },
);

it('the check for absent signatures throws if no endpoint responds', async () => {
  await expect(
    stubChain({ primary: silent, fallback: silent }).chain.absentAtFinalized([BY_SLOT]),
  ).rejects.toThrow(PortUnavailableError);
});

it('the check for absent signatures reads each endpoint’s height before it searches the whole history', async () => {
  const bodies: string[] = [];
  const { chain, requests } = stubChain({
    primary: endpoint(),
    fallback: endpoint(),
    onBody: (body) => bodies.push(body),
  });
  await chain.absentAtFinalized([BY_SLOT]);
  for (const name of ['primary', 'fallback']) {
    expect(requests().filter((each) => each.startsWith(name))).toEqual([
      `${name} getEpochInfo`,
      `${name} getSignatureStatuses`,
    ]);
  }
  expect(bodies.filter((body) => body.includes('"commitment":"finalized"'))).toHaveLength(2);
  expect(bodies.filter((body) => body.includes('"searchTransactionHistory":true'))).toHaveLength(2);
});

it('a lagging endpoint never lowers the last valid block height', async () => {
  const blockhash = (lastValidBlockHeight: number): StubResponse => ({
    result: {
      context: { slot: 1 },
      value: { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', lastValidBlockHeight },
    },
  });
  const { chain } = stubChain({
    primary: { getLatestBlockhash: [blockhash(500), 'cut'] },
    fallback: { getLatestBlockhash: [blockhash(420), blockhash(510)] },
  });
  expect((await chain.latestBlockhash()).lastValidBlockHeight).toBe(500);
  expect(await chain.lastValidBlockHeight()).toBe(500);
  expect(await chain.lastValidBlockHeight()).toBe(510);
});

it('a transaction of a newer version is reported as unreadable and marks no endpoint as down', async () => {
  const unreadable: StubResponse = {
    error: { code: -32015, message: 'Transaction version (2) is not supported' },
  };
  const { chain, requests } = stubChain({
    primary: { getTransaction: unreadable },
    fallback: { getTransaction: unreadable },
  });
  expect(await chain.transaction(signature)).toBe('unreadable');
  expect(await chain.movements([signature])).toEqual({ movements: [], unreadable: [signature] });
  const [primary, fallback] = ['primary getTransaction', 'fallback getTransaction'];
  expect(requests()).toEqual([primary, fallback, primary, fallback]);
  const lagging = stubChain({
    primary: { getTransaction: unreadable },
    fallback: { getTransaction: { result: null } },
  });
  expect(await lagging.chain.transaction(signature)).toBe('unreadable');
  const broken = stubChain({
    primary: { getTransaction: { error: { code: -32602, message: 'Invalid params' } } },
  });
  await expect(broken.chain.transaction(signature)).rejects.toThrow(PortUnavailableError);
});

it('a transaction in an unknown form is unreadable, and a broken response counts as a failure of the endpoint', async () => {
  const strange: StubResponse = { result: { slot: 7, version: 2, transaction: {} } };
  const { chain } = stubChain({
    primary: { getTransaction: strange },
    fallback: { getTransaction: strange },
  });
  expect(await chain.transaction(signature)).toBe('unreadable');
  const broken = stubChain({
    primary: { getTransaction: { result: 'broken' } },
    fallback: { getTransaction: { result: 'broken' } },
  });
  await expect(broken.chain.transaction(signature)).rejects.toThrow(PortUnavailableError);
});

it('a transaction that one endpoint does not have is read from the other endpoint', async () => {
  const status = (value: unknown): StubResponse => ({ result: { context: { slot: 2_000 }, value: [value] } });
  const { chain } = stubChain({
    primary: { getSignatureStatuses: status(null), getSignaturesForAddress: { result: [] } },
    fallback: {
      getSignatureStatuses: status(landed('confirmed')),
      getSignaturesForAddress: { result: [{ signature, slot: 1, err: null, memo: null }] },
    },
  });
  expect(await chain.signatureStates([signature])).toEqual([{ status: 'confirmed', error: null, slot: 990 }]);
  expect(await chain.signaturesFor('11111111111111111111111111111111')).toEqual([signature]);
});
