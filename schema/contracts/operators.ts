import { z } from 'zod';
import { REPORTED_KINDS, type REPORT_REASONS } from '#schema/constants/people.ts';
import { HIDEABLE_TEXTS, OPERATOR_ACTIONS, OPERATOR_REASON } from '#schema/constants/running.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import type { CallDetail } from './calls.ts';
import type { NotificationKind } from './notifications.ts';
import type { Pause } from './pauses.ts';
import type { Outage } from './status.ts';
import { cursorSchema, idSchema } from './shared.ts';

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
export type HideableText = (typeof HIDEABLE_TEXTS)[number];

const subject = {
  /** The id, wallet address or transaction signature of the action's subject. */
  subjectId: z.string().min(1).max(200),
  reason: z
    .string()
    .max(OPERATOR_REASON.maxLength, `Use at most ${OPERATOR_REASON.maxLength} characters.`)
    .overwrite(cleanLines)
    .min(OPERATOR_REASON.minLength, `Give a reason of at least ${OPERATOR_REASON.minLength} characters.`),
};

const actions = z.enum(OPERATOR_ACTIONS);
const textActions = actions.extract(['hide_text', 'show_text']);
const reportActions = actions.extract(['resolve_reports']);
const otherActions = actions.exclude([...textActions.options, ...reportActions.options]);

export const operatorActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: otherActions, ...subject }),
  z.strictObject({ action: textActions, kind: z.enum(HIDEABLE_TEXTS), ...subject }),
  z.strictObject({ action: reportActions, kind: z.enum(REPORTED_KINDS), ...subject }),
]);
/** An action that needs nothing but its subject and the reason. */
export type PlainAction = Exclude<OperatorAction, 'hide_text' | 'show_text' | 'resolve_reports'>;
export type OperatorActionBody = z.infer<typeof operatorActionSchema>;

/** `isDone` is false if there was nothing to change. Then nothing was recorded. */
export interface OperatorActionResponse {
  readonly isDone: boolean;
  readonly message: string;
}

export const auditQuerySchema = z.strictObject({
  /** Lists only entries about this person, text, orphan or event. */
  subjectId: z.string().min(1).max(200).optional(),
  cursor: cursorSchema.optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** Here and below, times are ISO 8601, and amounts are decimal strings in SOL. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly operatorXId: string;
  /** Null if this operator never signed in. */
  readonly operatorHandle: string | null;
  readonly action: OperatorAction;
  readonly kind: string | null;
  readonly subjectId: string;
  /** The handle of the person, if the action was about a person. */
  readonly subjectHandle: string | null;
  readonly reason: string;
}

/** Finds people by handle, id, X id, wallet or call, and payments by signature, reference, intent id or the person's id. */
export const operatorsSearchSchema = z.strictObject({ search: z.string().trim().min(1).max(100) });

export interface OperatorsText {
  readonly kind: HideableText;
  readonly subjectId: string;
  readonly text: string;
  readonly isHidden: boolean;
}

/** A user as shown to operators: without email, Telegram chat and sessions. */
export interface OperatorsPerson {
  readonly id: string;
  readonly xUserId: string;
  readonly handle: string;
  readonly name: string;
  readonly isCaller: boolean;
  readonly isVerified: boolean;
  readonly isSuspended: boolean;
  readonly isHidden: boolean;
  readonly activeSessions: number;
  readonly payoutAddress: string | null;
  readonly payoutChanges: readonly { at: string; from: string | null; to: string | null }[];
  /** The bio. If the search was for a call, also its thesis and updates. */
  readonly texts: readonly OperatorsText[];
  /** The ended call, if the search was for its id. */
  readonly call: CallDetail | null;
}

/**
 * `signed`: the transaction was stored before its broadcast. `unreadable`: it has landed, but couldn't be read. `dead`: it
 * no longer blocks another payment, because it can't land or an operator released it. `recorded`: it's
 * in the ledger, whose own entries are `granted`, `finalized`, `revoked`, `moved` and `refunded`. `paid_back`: a
 * transfer from the caller to the wallet that paid.
 */
export type PaymentEventKind =
  | 'opened'
  | 'signed'
  | 'landed'
  | 'unreadable'
  | 'dead'
  | 'recorded'
  | 'granted'
  | 'finalized'
  | 'revoked'
  | 'moved'
  | 'refunded'
  | 'paid_back'
  | 'orphaned'
  | 'resolved';

export interface PaymentEvent {
  readonly at: string;
  readonly kind: PaymentEventKind;
  readonly signature: string | null;
  readonly explorerUrl: string | null;
  readonly slot: number | null;
  /** The period that the entry grants or moves. */
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  /** Explains the event: for example, why money matched nothing, or how an operator resolved it. */
  readonly note: string | null;
}

export interface PaymentParty {
  readonly id: string;
  readonly handle: string;
}

/** An intent with all its events, or a payment that matched no intent. */
export interface PaymentHistory {
  /** Null for a payment that matched no intent. */
  readonly intent: {
    readonly id: string;
    readonly reference: string;
    readonly subscriber: PaymentParty;
    readonly caller: PaymentParty;
    readonly sol: string;
    readonly callerAddress: string;
    readonly callerSol: string;
    readonly platformAddress: string;
    readonly platformSol: string;
    readonly expiresAt: string;
  } | null;
  /** The ledger's newest entry, or else the newest event of its transactions. */
  readonly state: PaymentEventKind;
  /** The paid period as it is now. Null without one. */
  readonly access: PaymentEvent['period'];
  /** Oldest first. */
  readonly events: readonly PaymentEvent[];
}

export const operatorsPersonSchema = z.strictObject({ id: idSchema });

/** Response of `GET /api/operators/people/{id}/telegram`: why a person's Telegram may be silent. */
export interface PersonTelegram {
  /** `pending`: the person has saved a handle but not pressed Start. */
  readonly chat: 'none' | 'pending' | 'connected';
  readonly connectedAt: string | null;
  /** Kinds of messages that the person has switched off. */
  readonly switchedOff: readonly NotificationKind[];
  /** The handles of the newest muted callers. */
  readonly muted: readonly string[];
  /** The last messages, newest first, without their texts. `waiting`: `at` is the time of the next attempt. */
  readonly messages: readonly {
    readonly kind: string;
    readonly at: string;
    readonly result: 'delivered' | 'unreachable' | 'unwanted' | 'unsent' | 'waiting';
  }[];
}

/** `orphanPayers`: wallets that have paid several open orphans. `jobs`: the cron's jobs and the RPC endpoints. */
export type ProblemKind = 'unreadable' | 'orphans' | 'orphanPayers' | 'messages' | 'jobs' | 'ledgerChecks';

export interface Problem {
  /** The subject of the actions: a signature, wallet or event. Otherwise a job's name or a day. */
  readonly id: string;
  readonly title: string;
  /** Null if it has no time. */
  readonly at: string | null;
  /** One or more lines. */
  readonly text: string;
  readonly actions: readonly PlainAction[];
  /** 0 for a check of the ledger that found nothing. */
  readonly count: number;
}

/** All open reports about one caller, call or update. */
export interface ReportedThing {
  readonly kind: (typeof REPORTED_KINDS)[number];
  readonly subjectId: string;
  readonly callerId: string;
  readonly callerHandle: string;
  /** True if the caller is suspended or the account was deleted. */
  readonly isCallerSuspended: boolean;
  /** The bio, thesis or update. Null if there is none, or if `isWithheld`. */
  readonly text: string | null;
  /** True if the call is open and hidden from operators. They can hide its texts without seeing them. */
  readonly isWithheld: boolean;
  readonly isTextHidden: boolean;
  readonly count: number;
  readonly lastAt: string;
  /** The newest reports. */
  readonly reports: readonly {
    readonly reason: (typeof REPORT_REASONS)[number];
    readonly text: string | null;
    readonly at: string;
    readonly reporterHandle: string;
  }[];
}

/** Something that users can't do now, as operators see it. */
export interface OperatorsOutage extends Outage {
  readonly effect: string;
  readonly act: string;
}

/** Response of `POST /api/operators/test-alarm`. */
export interface TestAlarmResponse {
  /** Says for each channel whether the alarm was sent. */
  readonly message: string;
}

/** Response of `GET /api/operators/overview`: the current problems. Each list has its most important entries. */
export interface OperatorsOverview {
  readonly outages: readonly OperatorsOutage[];
  /** The last alarms, newest first. */
  readonly alarms: readonly { readonly at: string; readonly text: string }[];
  /** The cron's last run; null before the first. */
  readonly cronRanAt: string | null;
  readonly problems: Readonly<Record<ProblemKind, readonly Problem[]>>;
  readonly reported: readonly ReportedThing[];
  readonly pauses: readonly Pause[];
}
