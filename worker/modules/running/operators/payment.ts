import type { OfferedAction, OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { ATTEMPTS, PAYMENT_EVENTS, type PaymentEventKind } from '#schema/rules/money/payment-events.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { PaymentEventRow, PaymentRows } from '../../money/payments/payment-history.repository.ts';
import { link, personLink, row, section, sol, type Fact } from './page.ts';

type Intent = PaymentRows['intents'][number];
type Orphan = PaymentRows['orphans'][number];

interface Event extends Partial<Pick<PaymentEventRow, 'signature' | 'slot'>> {
  readonly kind: PaymentEventKind;
  readonly at: number;
  readonly note?: string | null;
}

/** An intent with its events, or, without an intent, a transaction that matched none. */
interface Payment {
  readonly intent: Intent | null;
  readonly orphans: readonly Orphan[];
  /** The paid period as it is now. */
  readonly access: string | null;
  /** Oldest first. */
  readonly events: readonly Event[];
}

const ORDER = keysOf(PAYMENT_EVENTS);
const byTime = (one: Event, other: Event) =>
  one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);

/** The transactions that matched no intent, then each intent, newest first. */
export function readPayments({ intents, events, orphans }: PaymentRows): Payment[] {
  const unmatched = orphans.filter(({ intentId }) => intentId === null);
  return [
    ...unmatched.map((orphan) => ({
      intent: null,
      orphans: [orphan],
      access: null,
      events: describeOrphan(orphan, null),
    })),
    ...intents.map((intent) => {
      const own = events.filter(({ intentId }) => intentId === intent.id);
      const ownOrphans = orphans.filter(({ intentId }) => intentId === intent.id);
      const access = own.find(({ kind }) => kind === 'access');
      const happened = [
        { kind: 'opened' as const, at: intent.createdAt },
        ...own.flatMap((event) => describeEvent(event)),
        ...ownOrphans.flatMap((orphan) => describeOrphan(orphan, intent)),
      ];
      return {
        intent,
        orphans: ownOrphans,
        access: access ? daysOf(access) : null,
        events: happened.toSorted(byTime),
      };
    }),
  ];
}

const daysOf = ({ startsAt, endsAt }: PaymentEventRow): string | null =>
  startsAt === null || endsAt === null ? null : `${utcMinute(startsAt)} to ${utcMinute(endsAt)}`;

function describeEvent(event: PaymentEventRow): Event[] {
  const { kind, at, signature, slot, lamports, note } = event;
  if (kind === 'access') return [];
  const amount = lamports === null ? null : sol(BigInt(lamports));
  return [{ kind, at, signature, slot, note: note ?? amount ?? daysOf(event) }];
}

function describeOrphan(orphan: Orphan, intent: Intent | null): Event[] {
  const { signature, foundAt, resolvedAt, slot, payerAddress, note } = orphan;
  const why = `${explainOrphan(orphan, intent)} From ${payerAddress}.`;
  return [
    { kind: 'orphaned', at: foundAt, signature, slot, note: why },
    ...(resolvedAt === null ? [] : [{ kind: 'resolved' as const, at: resolvedAt, signature, note }]),
  ];
}

/** One sentence about what a transaction paid, and why that bought nothing. */
export function explainOrphan(
  { reason, callerParts, platformLamports }: Pick<Orphan, 'reason' | 'callerParts' | 'platformLamports'>,
  due: Pick<Intent, 'callerAddress' | 'callerLamports' | 'platformLamports'> | null,
): string {
  const isCaller = (part: { address: string }) => part.address === due?.callerAddress;
  const parts = callerParts.map(
    (part) => `${sol(BigInt(part.lamports))} to ${isCaller(part) ? 'the caller' : part.address}`,
  );
  const paid = `Paid ${[...parts, `${sol(platformLamports)} to us`].join(' and ')}`;
  if (due === null || reason !== 'payments.wrong_amount') {
    return `${paid}, which bought nothing. ${new AppError({ code: reason }).message}`;
  }
  const toCaller = BigInt(callerParts.find(isCaller)?.lamports ?? 0);
  const missing = due.callerLamports + due.platformLamports - toCaller - platformLamports;
  const size = missing < 0n ? `${sol(-missing)} too much` : `${sol(missing)} too little`;
  return `${paid}, but ${sol(due.callerLamports)} to the caller and ${sol(due.platformLamports)} to us were due: ${missing === 0n ? 'split wrongly' : size}, so it bought nothing.`;
}

function titleOf({ intent, events }: Payment): string {
  const state = events.findLast(({ kind }) => !ATTEMPTS.has(kind)) ?? events.at(-1);
  const paid = intent && `${sol(intent.totalLamports)} to @${intent.callerHandle}`;
  return `${paid ?? 'A transaction that matches no payment'}: ${PAYMENT_EVENTS[state?.kind ?? 'opened']}`;
}

/** One row, for lists of payments. */
export function paymentRow(payment: Payment): OperatorsRow {
  const { intent, orphans, access, events } = payment;
  const id = intent?.id ?? orphans[0]?.signature ?? '';
  return row({
    id,
    title: titleOf(payment),
    at: events[0]?.at ?? null,
    lines: [access && `Access: ${access}`, ...orphans.map((orphan) => explainOrphan(orphan, intent))],
    links: [
      link('payment', id, 'History'),
      ...(intent
        ? [personLink(intent.userId, intent.userHandle), personLink(intent.callerId, intent.callerHandle)]
        : []),
    ],
    actions: openOrphans(payment),
  });
}

const openOrphans = ({ orphans }: Payment): OfferedAction[] =>
  orphans
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map(({ signature }) => ({ action: 'resolve_orphan', subjectId: signature, about: signature }));

/** Null if nothing was found. */
export function paymentPage(rows: PaymentRows, explorerUrl: Base['explorerUrl']): OperatorsPage | null {
  const payments = readPayments(rows);
  if (payments.length === 0) return null;
  const sections = payments.map((payment) =>
    section(titleOf(payment), {
      facts: payment.intent === null ? [] : intentFacts(payment.intent, payment.access),
      rows: payment.events.map(({ kind, at, signature, slot, note }) =>
        row({
          id: `${kind} ${signature} ${at}`,
          title: PAYMENT_EVENTS[kind],
          at,
          lines: [note ?? null, typeof slot === 'number' ? `Slot ${slot}` : null],
          links: typeof signature === 'string' ? [link('explorer', explorerUrl(signature), signature)] : [],
        }),
      ),
      actions: openOrphans(payment),
    }),
  );
  return { title: payments.length === 1 ? 'Payment' : 'Payments', badges: [], sections };
}

const intentFacts = (intent: Intent, access: string | null): Fact[] => [
  ['Subscriber', personLink(intent.userId, intent.userHandle)],
  ['Caller', personLink(intent.callerId, intent.callerHandle)],
  ['To the caller', `${sol(intent.callerLamports)} to ${intent.callerAddress}`],
  ['Commission', `${sol(intent.platformLamports)} to ${intent.platformAddress}`],
  ['Access', access ?? 'None'],
  ['Could be paid until', utcMinute(intent.expiresAt)],
  ['Reference', intent.reference],
  ['Id', intent.id],
];
