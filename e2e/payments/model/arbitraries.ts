import fc, { Arbitrary } from 'fast-check';
import { CALLERS, FEES, FOLLOWERS, PAYERS, PEOPLE } from './fixtures.ts';
import { STAGES, type Operation, type OperationOf } from './operations.ts';
import { act, fault, killBrowser, story, type Action, type Play, type Step } from './steps.ts';
import { PLAIN_SHAPES, REFUND_SHAPES, SHAPES, VERSIONS } from './transactions.ts';
import { NODE_VERSIONS } from '../support/nodes.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Operations that don't run in our worker, so the model can't kill them. */
const OUTSIDE_WORKER: readonly Operation['kind'][] = [
  'sign',
  'land',
  'refund',
  'erase',
  'expire',
  'fork',
  'advance',
  'act',
  'slots',
  'nodes',
];

const pick = <Value>(weight: number, arbitrary: Arbitrary<Value>) => ({ weight, arbitrary });

const follower = fc.constantFrom(...FOLLOWERS);
const caller = fc.oneof(pick(3, fc.constant(CALLERS[0])), pick(1, fc.constant(CALLERS[1])));
const payer = fc.oneof(pick(6, fc.nat({ max: PAYERS.length - 2 })), pick(1, fc.constant(PAYERS.length - 1)));
const solvent = fc.nat({ max: PAYERS.length - 2 });
/** Counts back from the newest transaction or intent (0 is the newest). */
const recent = fc.oneof(pick(3, fc.nat({ max: 1 })), pick(1, fc.nat({ max: 12 })));
const newest = fc.nat({ max: 1 });
const shape = fc.oneof(pick(3, fc.constantFrom(...PLAIN_SHAPES)), pick(2, fc.constantFrom(...SHAPES)));
const days = fc.oneof(
  pick(3, fc.constant(30 as const)),
  pick(3, fc.constant(7 as const)),
  pick(1, fc.constant(90 as const)),
);
const version = fc.constantFrom(...VERSIONS);
const person = fc.oneof(pick(3, fc.constant('owner' as const)), pick(1, fc.constantFrom(...PEOPLE)));
const milliseconds = fc.oneof(
  pick(4, fc.constantFrom(400, 2 * SECOND, 5 * SECOND)),
  pick(3, fc.constantFrom(13 * SECOND, 30 * SECOND, MINUTE)),
  pick(2, fc.constantFrom(5 * MINUTE, 10 * MINUTE, 14 * MINUTE, HOUR)),
  pick(1, fc.constantFrom(DAY, 7 * DAY, 30 * DAY)),
);

type Details<Of> = { readonly [Key in Exclude<keyof Of, 'kind'>]: Of[Key] | Arbitrary<Of[Key]> };

/** An operation of this kind. Each detail is a value or an arbitrary. */
const kind = <Kind extends Operation['kind']>(name: Kind, details: Details<OperationOf<Kind>>) => {
  const entries = Object.entries<unknown>({ kind: name, ...details }).map(([key, value]) => [
    key,
    value instanceof Arbitrary ? (value as Arbitrary<unknown>) : fc.constant(value),
  ]);
  return fc.record(
    Object.fromEntries(entries) as Record<string, Arbitrary<unknown>>,
  ) as unknown as Arbitrary<Operation>;
};

const claim = kind('claim', {
  transaction: recent,
  person,
  amounts: fc.oneof(pick(6, fc.constant('right' as const)), pick(1, fc.constant('wrong' as const))),
});
const cron = kind('cron', {});
const search = kind('search', { intent: recent });
const send = kind('send', { transaction: recent, person });

const operation: Arbitrary<Operation> = fc.oneof(
  pick(
    8,
    kind('pay', { person: follower, caller, days, payer, shape, version, until: fc.constantFrom(...STAGES) }),
  ),
  pick(1, kind('open', { person: follower, caller, days })),
  pick(3, kind('sign', { intent: recent, other: recent, payer, second: payer, shape, version })),
  pick(3, send),
  pick(3, kind('land', { transaction: recent })),
  pick(2, kind('confirm', { transaction: recent })),
  pick(4, claim),
  pick(2, search),
  pick(2, kind('follow', { person: follower, caller })),
  pick(2, kind('fee', { caller, fee: fc.nat({ max: FEES.length - 1 }) })),
  pick(1, kind('payout', { caller, wallet: fc.constantFrom(0, 1) })),
  pick(1, kind('expire', {})),
  pick(2, kind('refund', { payment: recent, shape: fc.constantFrom(...REFUND_SHAPES) })),
  pick(2, kind('ask', { payment: recent, isAsked: fc.boolean() })),
  pick(4, kind('fork', { transaction: recent })),
  pick(4, cron),
  pick(2, kind('rebroadcast', {})),
  pick(6, kind('advance', { milliseconds })),
  pick(1, kind('act', { caller })),
  pick(1, kind('leave', { caller, isLeaving: fc.boolean() })),
  pick(2, kind('slots', { slotMs: fc.integer({ min: 200, max: 400 }) })),
);

const nodes = kind('nodes', {
  primary: fc.constantFrom(...NODE_VERSIONS),
  fallback: fc.constantFrom(...NODE_VERSIONS),
});

const undying = (each: Operation): Action => ({ operation: each, diesAt: undefined });
const killable = (arbitrary: Arbitrary<Operation>): Arbitrary<Action> =>
  fc
    .oneof(
      pick(7, arbitrary.map(undying)),
      pick(
        1,
        fc.record({ operation: arbitrary, diesAt: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 60 })) }),
      ),
    )
    .map((action) => (OUTSIDE_WORKER.includes(action.operation.kind) ? undying(action.operation) : action));
const twice = (arbitrary: Arbitrary<Operation>): Arbitrary<Step> =>
  arbitrary.map((each) => act([undying(each), undying(each)]));

const chainFault = fc.record(
  {
    failure: fc.constantFrom('deaf' as const, 'mute' as const, 'busy' as const),
    method: fc.constantFrom(
      'sendTransaction',
      'getTransaction',
      'getSignatureStatuses',
      'getSignaturesForAddress',
      'getLatestBlockhash',
    ),
    count: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['failure', 'count'] },
);

const perhaps = (arbitrary: Arbitrary<Operation>) => fc.oneof(fc.constant(undefined), arbitrary);
const advance = (...choices: number[]) => kind('advance', { milliseconds: fc.constantFrom(...choices) });
const tell = (...operations: readonly Operation[]) => story(operations.map((each) => act([undying(each)])));
const storyOf = (...parts: Arbitrary<Operation | undefined>[]): Arbitrary<Step> =>
  fc.tuple(...parts).map((operations) => tell(...operations.filter((each) => each !== undefined)));
const plainPayment = (
  details: Omit<Details<OperationOf<'pay'>>, 'days' | 'shape' | 'version' | 'until'>,
  until: (typeof STAGES)[number] = 'claimed',
) => kind('pay', { days, ...details, shape: 'plain', version, until });

/** A follower pays the same caller once or twice. A fork removes one payment, which may land again. */
const vanishing = fc
  .record({
    person: follower,
    caller,
    payer: solvent,
    until: fc.constantFrom('landed' as const, 'sent' as const, 'claimed' as const),
  })
  .chain(({ until, ...pair }) =>
    storyOf(
      plainPayment(pair, until),
      advance(400, 2 * SECOND),
      perhaps(cron),
      perhaps(plainPayment({ ...pair, payer: (pair.payer + 1) % 3 })),
      kind('fork', { transaction: newest }),
      advance(2 * SECOND, 13 * SECOND, 20 * SECOND),
      cron,
      perhaps(
        fc.oneof(
          kind('land', { transaction: newest }),
          kind('send', { transaction: newest, person: 'owner' }),
        ),
      ),
      advance(2 * SECOND, 13 * SECOND),
      perhaps(cron),
    ),
  );

/** A caller pays back one of two final payments of a follower, who asks for it, or takes that back, at any time. */
const refunding = fc.record({ person: follower, payer: solvent }).chain(({ person: who, payer: wallet }) => {
  const shape = fc.oneof(fc.constantFrom(...REFUND_SHAPES.slice(0, 5)), fc.constantFrom(...REFUND_SHAPES));
  const refund = kind('refund', { payment: newest, shape });
  const ask = kind('ask', { payment: newest, isAsked: fc.boolean() });
  // Around finality.
  const soon = advance(400, 2 * SECOND, 13 * SECOND, 3 * MINUTE);
  return storyOf(
    perhaps(kind('fee', { caller: 'cleo', fee: fc.integer({ min: 1, max: 3 }) })),
    plainPayment({ person: who, caller: 'cleo', payer: wallet }),
    perhaps(plainPayment({ person: who, caller: 'cleo', payer: (wallet + 1) % 3 })),
    advance(20 * SECOND, DAY),
    cron,
    ...Array.from({ length: 4 }, () => [
      perhaps(ask),
      perhaps(refund),
      perhaps(ask),
      perhaps(soon),
      perhaps(cron),
    ]).flat(),
    perhaps(kind('erase', { caller: 'cleo' })),
    perhaps(refund),
    advance(MINUTE, HOUR),
    cron,
    perhaps(kind('claim', { transaction: recent, person: 'owner', amounts: 'right' })),
  );
});

/** A payment lands in a version that the nodes may not read. The payer comes back, and a deploy reads every version. */
const unreadable = fc
  .record({
    person: follower,
    caller,
    payer: solvent,
    until: fc.constantFrom('landed' as const, 'claimed' as const),
  })
  .chain(({ until, ...pair }) =>
    storyOf(
      kind('fee', { caller: pair.caller, fee: 1 }),
      perhaps(nodes),
      plainPayment(pair, until),
      advance(2 * SECOND, 20 * SECOND, MINUTE),
      perhaps(fc.oneof(cron, search)),
      kind('open', { person: pair.person, caller: pair.caller, days: 30 }),
      perhaps(plainPayment(pair, 'landed')),
      advance(2 * SECOND, 20 * SECOND),
      perhaps(kind('nodes', { primary: 2, fallback: fc.constantFrom(...NODE_VERSIONS) })),
      advance(MINUTE),
      cron,
    ),
  );

const late = storyOf(
  kind('open', { person: follower, caller, days }),
  advance(9 * MINUTE, 11 * MINUTE, 14 * MINUTE, 14 * MINUTE + 2 * SECOND, HOUR),
  kind('sign', { intent: 0, other: recent, payer: solvent, second: payer, shape: 'plain', version }),
  fc.oneof(kind('land', { transaction: 0 }), kind('send', { transaction: 0, person: 'owner' })),
  advance(2 * SECOND, 13 * SECOND),
  perhaps(claim),
);

/** A caller is silent for over a week. The subscriber may pay again, and the caller may open a call. */
const silence = fc.record({ person: follower, caller }).chain((pair) => {
  const payment = plainPayment({ ...pair, payer: solvent });
  return storyOf(
    perhaps(kind('fee', { caller: pair.caller, fee: 1 })),
    payment,
    advance(7 * DAY, 8 * DAY),
    cron,
    perhaps(advance(DAY)),
    perhaps(payment),
    advance(DAY),
    perhaps(kind('act', { caller: pair.caller })),
    cron,
    perhaps(advance(7 * DAY)),
    perhaps(cron),
  );
});

/** A caller asks for deletion while payments are on their way, and may take it back before it's due. */
const leaving = fc.record({ person: follower, caller }).chain((pair) => {
  const leave = (isLeaving: boolean) => kind('leave', { caller: pair.caller, isLeaving });
  return storyOf(
    perhaps(kind('fee', { caller: pair.caller, fee: fc.integer({ min: 1, max: 3 }) })),
    plainPayment({ ...pair, payer: solvent }),
    perhaps(plainPayment({ ...pair, payer: solvent }, 'signed')),
    leave(true),
    perhaps(kind('land', { transaction: newest })),
    perhaps(plainPayment({ person: follower, caller: pair.caller, payer: solvent })),
    advance(2 * SECOND, DAY, 7 * DAY, 30 * DAY),
    cron,
    perhaps(leave(true)),
    perhaps(kind('refund', { payment: newest, shape: fc.constantFrom(...REFUND_SHAPES) })),
    perhaps(leave(false)),
    perhaps(plainPayment({ ...pair, payer: solvent })),
  );
});

const pay = { kind: 'pay', days: 7, shape: 'plain', version: 0, until: 'signed' } as const;

/** A caller becomes Free between a payment's signature and its block. Then the payer follows for free. */
const freeMeanwhile = fc
  .record({ person: follower, caller, payer: solvent })
  .map(({ person: who, caller: whom, payer: wallet }) =>
    tell(
      { kind: 'fee', caller: whom, fee: 1 },
      { ...pay, person: who, caller: whom, payer: wallet },
      { kind: 'fee', caller: whom, fee: 0 },
      { kind: 'land', transaction: 0 },
      { kind: 'advance', milliseconds: 2 * SECOND },
      { kind: 'claim', transaction: 0, person: 'owner', amounts: 'right' },
      { kind: 'follow', person: who, caller: whom },
    ),
  );

/** A Free caller starts to charge who has a free follower. */
const chargingMeanwhile = fc
  .record({ person: follower, caller, fee: fc.integer({ min: 1, max: FEES.length - 1 }) })
  .map(({ person: who, caller: whom, fee }) =>
    story([
      tell({ kind: 'fee', caller: whom, fee: 0 }),
      act([
        undying({ kind: 'follow', person: who, caller: whom }),
        undying({ kind: 'fee', caller: whom, fee }),
      ]),
    ]),
  );

const step: Arbitrary<Step> = fc.oneof(
  pick(2, vanishing),
  pick(1, silence),
  pick(1, leaving),
  pick(1, late),
  pick(2, unreadable),
  pick(
    3,
    nodes.map((each) => act([undying(each)])),
  ),
  pick(2, refunding),
  pick(1, freeMeanwhile),
  pick(1, chargingMeanwhile),
  pick(
    28,
    killable(operation).map((action) => act([action])),
  ),
  pick(6, fc.array(killable(operation), { minLength: 2, maxLength: 4 }).map(act)),
  pick(1, twice(cron)),
  pick(1, twice(claim)),
  pick(1, twice(send)),
  pick(2, fc.tuple(cron.map(undying), killable(claim)).map(act)),
  pick(2, chainFault.map(fault)),
  pick(1, fc.constantFrom(...FOLLOWERS).map(killBrowser)),
);

/**
 * `maxCommands` limits the number of commands. Most commands are one operation, but a story is a fixed sequence
 * of several.
 */
export const histories = (maxCommands: number) =>
  fc.commands<Play, Play, false>([step], { maxCommands, size: 'max' });
