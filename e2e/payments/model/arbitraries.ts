import fc, { type Arbitrary } from 'fast-check';
import { CALLERS, FEES, FOLLOWERS, PAYERS, PEOPLE } from './fixtures.ts';
import { STAGES, type Operation } from './operations.ts';
import { alone, fault, killBrowser, story, together, type Action, type Play, type Step } from './steps.ts';
import { REFUND_SHAPES, SHAPES } from './transactions.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Operations that don't run in our worker, so the model can't kill them. */
const OUTSIDE_WORKER: readonly Operation['kind'][] = [
  'sign',
  'land',
  'refund',
  'expire',
  'fork',
  'advance',
  'act',
];

type Weighted<Value> = { weight: number; arbitrary: Arbitrary<Value> };
const pick = <Value>(weight: number, arbitrary: Arbitrary<Value>): Weighted<Value> => ({ weight, arbitrary });

const follower = fc.constantFrom(...FOLLOWERS);
const caller = fc.oneof(pick(3, fc.constant(CALLERS[0])), pick(1, fc.constant(CALLERS[1])));
const payer = fc.oneof(pick(6, fc.nat({ max: PAYERS.length - 2 })), pick(1, fc.constant(PAYERS.length - 1)));
/** Counts back from the newest transaction or intent (0 is the newest). */
const recent = fc.oneof(pick(3, fc.nat({ max: 1 })), pick(1, fc.nat({ max: 12 })));
const shape = fc.oneof(pick(3, fc.constantFrom(...SHAPES.slice(0, 4))), pick(2, fc.constantFrom(...SHAPES)));
const person = fc.oneof(pick(3, fc.constant('owner' as const)), pick(1, fc.constantFrom(...PEOPLE)));
const milliseconds = fc.oneof(
  pick(4, fc.constantFrom(400, 2 * SECOND, 5 * SECOND)),
  pick(3, fc.constantFrom(13 * SECOND, 30 * SECOND, MINUTE)),
  pick(2, fc.constantFrom(5 * MINUTE, 10 * MINUTE, 14 * MINUTE, HOUR)),
  pick(1, fc.constantFrom(DAY, 7 * DAY, 30 * DAY)),
);

const kind = <Kind extends Operation['kind'], Details extends object>(
  name: Kind,
  details: { [Key in keyof Details]: Arbitrary<Details[Key]> },
) => fc.record({ kind: fc.constant(name), ...details }) as unknown as Arbitrary<Operation>;

const pay = kind('pay', { person: follower, caller, payer, shape, until: fc.constantFrom(...STAGES) });
const claim = kind('claim', {
  transaction: recent,
  person,
  amounts: fc.oneof(pick(6, fc.constant('right' as const)), pick(1, fc.constant('wrong' as const))),
});
const cron = kind('cron', {});
const send = kind('send', { transaction: recent, person });

const refundDetails = { payment: recent, shape: fc.constantFrom(...REFUND_SHAPES) };

const operation: Arbitrary<Operation> = fc.oneof(
  pick(8, pay),
  pick(1, kind('open', { person: follower, caller })),
  pick(3, kind('sign', { intent: recent, other: recent, payer, second: payer, shape })),
  pick(3, send),
  pick(3, kind('land', { transaction: recent })),
  pick(2, kind('confirm', { transaction: recent })),
  pick(4, claim),
  pick(2, kind('follow', { person: follower, caller })),
  pick(2, kind('fee', { caller, fee: fc.nat({ max: FEES.length - 1 }) })),
  pick(1, kind('payout', { caller, wallet: fc.constantFrom(0 as const, 1 as const) })),
  pick(1, kind('expire', {})),
  pick(2, kind('refund', refundDetails)),
  pick(4, kind('fork', { transaction: recent })),
  pick(4, cron),
  pick(2, kind('rebroadcast', {})),
  pick(6, kind('advance', { milliseconds })),
  pick(1, kind('act', { caller })),
);

const unkillable = (arbitrary: Arbitrary<Operation>): Arbitrary<Action> =>
  arbitrary.map((each) => ({ operation: each, diesAt: undefined }));
const killable = (arbitrary: Arbitrary<Operation>): Arbitrary<Action> =>
  fc
    .oneof(
      pick(7, unkillable(arbitrary)),
      pick(
        1,
        fc.record({ operation: arbitrary, diesAt: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 60 })) }),
      ),
    )
    .map((action) =>
      OUTSIDE_WORKER.includes(action.operation.kind) ? { ...action, diesAt: undefined } : action,
    );
const twice = (arbitrary: Arbitrary<Operation>): Arbitrary<Action[]> =>
  arbitrary.map((each) => [1, 2].map(() => ({ operation: each, diesAt: undefined })));

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

const perhaps = (arbitrary: Arbitrary<Operation>): Arbitrary<Operation[]> =>
  fc.oneof(
    fc.constant<Operation[]>([]),
    arbitrary.map((each) => [each]),
  );
const constantly = (arbitrary: Arbitrary<Operation>): Arbitrary<Operation[]> =>
  arbitrary.map((each) => [each]);
const advance = (...choices: number[]) => kind('advance', { milliseconds: fc.constantFrom(...choices) });
const alwaysAlone = (...operations: Operation[]): Step =>
  story(operations.map((each) => alone({ operation: each, diesAt: undefined })));
const storyOf = (...parts: Arbitrary<Operation[]>[]): Arbitrary<Step> =>
  fc.tuple(...parts).map((operations) => alwaysAlone(...operations.flat()));
const newest = fc.constant(0);

/** A follower pays the same caller once or twice. A fork removes one payment, which may land again. */
const vanishing = fc
  .record({
    person: follower,
    caller,
    payer: fc.nat({ max: 2 }),
    until: fc.constantFrom('landed', 'sent', 'claimed'),
  })
  .chain(({ person: who, caller: whom, payer: wallet, until }) => {
    const payment = (from: number, stage: typeof until) =>
      kind('pay', {
        person: fc.constant(who),
        caller: fc.constant(whom),
        payer: fc.constant(from),
        shape: fc.constant('plain'),
        until: fc.constant(stage),
      });
    return storyOf(
      constantly(payment(wallet, until)),
      constantly(advance(400, 2 * SECOND)),
      perhaps(cron),
      perhaps(payment((wallet + 1) % 3, 'claimed')),
      constantly(kind('fork', { transaction: fc.nat({ max: 1 }) })),
      constantly(advance(2 * SECOND, 13 * SECOND, 20 * SECOND)),
      constantly(cron),
      perhaps(
        fc.oneof(
          kind('land', { transaction: fc.nat({ max: 1 }) }),
          kind('send', { transaction: fc.nat({ max: 1 }), person: fc.constant('owner') }),
        ),
      ),
      constantly(advance(2 * SECOND, 13 * SECOND)),
      perhaps(cron),
    );
  });

/** A caller refunds one of two final payments of a follower. */
const refunding = fc
  .record({ person: follower, payer: fc.nat({ max: 2 }) })
  .chain(({ person: who, payer: wallet }) => {
    const payment = (from: number) =>
      kind('pay', {
        person: fc.constant(who),
        caller: fc.constant('cleo'),
        payer: fc.constant(from),
        shape: fc.constant('plain'),
        until: fc.constant('claimed'),
      });
    return storyOf(
      perhaps(kind('fee', { caller: fc.constant('cleo'), fee: fc.integer({ min: 1, max: 3 }) })),
      constantly(payment(wallet)),
      perhaps(payment((wallet + 1) % 3)),
      constantly(advance(20 * SECOND, DAY)),
      constantly(cron),
      constantly(kind('refund', { ...refundDetails, payment: fc.nat({ max: 1 }) })),
      constantly(advance(MINUTE, HOUR)),
      constantly(cron),
      perhaps(kind('refund', { ...refundDetails, payment: fc.nat({ max: 1 }) })),
      perhaps(
        kind('claim', { transaction: recent, person: fc.constant('owner'), amounts: fc.constant('right') }),
      ),
    );
  });

const late = storyOf(
  constantly(kind('open', { person: follower, caller })),
  constantly(advance(9 * MINUTE, 11 * MINUTE, 14 * MINUTE, 14 * MINUTE + 2 * SECOND, HOUR)),
  constantly(
    kind('sign', {
      intent: newest,
      other: recent,
      payer: fc.nat({ max: 2 }),
      second: payer,
      shape: fc.constant('plain'),
    }),
  ),
  constantly(
    fc.oneof(
      kind('land', { transaction: newest }),
      kind('send', { transaction: newest, person: fc.constant('owner') }),
    ),
  ),
  constantly(advance(2 * SECOND, 13 * SECOND)),
  perhaps(claim),
);

/** A caller is silent for over a week. The subscriber may pay again, and the caller may open a call. */
const silence = fc.record({ person: follower, caller }).chain(({ person: who, caller: whom }) => {
  const payment = kind('pay', {
    person: fc.constant(who),
    caller: fc.constant(whom),
    payer: fc.nat({ max: 2 }),
    shape: fc.constant('plain'),
    until: fc.constant('claimed'),
  });
  return storyOf(
    perhaps(kind('fee', { caller: fc.constant(whom), fee: fc.constant(1) })),
    constantly(payment),
    constantly(advance(7 * DAY, 8 * DAY)),
    constantly(cron),
    perhaps(advance(DAY)),
    perhaps(payment),
    constantly(advance(DAY)),
    perhaps(kind('act', { caller: fc.constant(whom) })),
    constantly(cron),
    perhaps(advance(7 * DAY)),
    perhaps(cron),
  );
});

/** A caller becomes Free between a payment's signature and its block. Then the payer follows for free. */
const freeMeanwhile = fc
  .record({ person: follower, caller, payer: fc.nat({ max: 2 }) })
  .map(({ person: who, caller: whom, payer: wallet }) =>
    alwaysAlone(
      { kind: 'fee', caller: whom, fee: 1 },
      { kind: 'pay', person: who, caller: whom, payer: wallet, shape: 'plain', until: 'signed' },
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
      alwaysAlone({ kind: 'fee', caller: whom, fee: 0 }),
      together(
        [
          { kind: 'follow' as const, person: who, caller: whom },
          { kind: 'fee' as const, caller: whom, fee },
        ].map((each) => ({ operation: each, diesAt: undefined })),
      ),
    ]),
  );

const step: Arbitrary<Step> = fc.oneof(
  pick(2, vanishing),
  pick(1, silence),
  pick(1, late),
  pick(2, refunding),
  pick(1, freeMeanwhile),
  pick(1, chargingMeanwhile),
  pick(28, killable(operation).map(alone)),
  pick(6, fc.array(killable(operation), { minLength: 2, maxLength: 4 }).map(together)),
  pick(1, twice(cron).map(together)),
  pick(1, twice(claim).map(together)),
  pick(1, twice(send).map(together)),
  pick(2, fc.tuple(unkillable(cron), killable(claim)).map(together)),
  pick(2, chainFault.map(fault)),
  pick(1, fc.constantFrom(...FOLLOWERS).map(killBrowser)),
);

/**
 * `maxCommands` limits the number of commands. Most commands are one operation, but a story is a fixed sequence
 * of several.
 */
export const histories = (maxCommands: number) =>
  fc.commands<Play, Play, false>([step], { maxCommands, size: 'max' });
