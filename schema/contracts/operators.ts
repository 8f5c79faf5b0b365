import { z } from 'zod';
import {
  HIDEABLE_TEXTS,
  OPERATOR_ACTIONS,
  OPERATOR_REASON,
  REPORTED_KINDS,
  type REPORT_REASONS,
} from '#schema/constants.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import { cursorSchema, signatureSchema } from './shared.ts';

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
export type HideableText = (typeof HIDEABLE_TEXTS)[number];

const subject = {
  /** An id, or an orphan's signature, a wallet address or a transaction's signature. */
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
const signatureActions = actions.extract(['continue_check_from']);
const otherActions = actions.exclude([
  ...textActions.options,
  ...reportActions.options,
  ...signatureActions.options,
]);

/** Body of `POST /api/operators/actions`. */
export const operatorActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: otherActions, ...subject }),
  z.strictObject({ action: textActions, kind: z.enum(HIDEABLE_TEXTS), ...subject }),
  z.strictObject({ action: reportActions, kind: z.enum(REPORTED_KINDS), ...subject }),
  z.strictObject({ action: signatureActions, ...subject, subjectId: signatureSchema }),
]);
export type OperatorActionBody = z.infer<typeof operatorActionSchema>;

/** `isDone` is false if there was nothing to change. Then nothing was recorded. */
export interface OperatorActionResponse {
  readonly isDone: boolean;
  readonly message: string;
}

export const auditQuerySchema = z.strictObject({
  /** Only entries about this person, text, orphan or event. */
  subjectId: z.string().min(1).max(200).optional(),
  cursor: cursorSchema.optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** All times are ISO 8601, all amounts decimal strings in SOL. */
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

/** For people, a handle, id, X id, wallet or call. For payments, a signature, reference or the id of an intent. */
export const operatorsSearchSchema = z.strictObject({ search: z.string().trim().min(1).max(100) });

export interface OperatorsText {
  readonly kind: HideableText;
  readonly subjectId: string;
  readonly text: string;
  readonly isHidden: boolean;
}

/** A user as operators see them: without email, Telegram chat and sessions. */
export interface OperatorsPerson {
  readonly id: string;
  readonly xUserId: string;
  readonly handle: string;
  readonly name: string;
  readonly isCaller: boolean;
  readonly isVerified: boolean;
  readonly isSuspended: boolean;
  readonly isHidden: boolean;
  readonly memberSince: string;
  readonly activeSessions: number;
  readonly payoutAddress: string | null;
  readonly payoutChanges: readonly { at: string; from: string | null; to: string | null }[];
  /** The bio, and the thesis and updates if the search was for a call. */
  readonly texts: readonly OperatorsText[];
}

/**
 * `signed`: stored before it was broadcast. `dead`: it can no longer land. `recorded`: it's in the ledger, whose own
 * entries are `granted`, `settled`, `revoked` and `moved`. `notified`: the sender has the caller's notice.
 */
export type PaymentEventKind =
  | 'opened'
  | 'signed'
  | 'landed'
  | 'dead'
  | 'recorded'
  | 'granted'
  | 'finalized'
  | 'revoked'
  | 'moved'
  | 'orphaned'
  | 'resolved'
  | 'notified';

export interface PaymentEvent {
  readonly at: string;
  readonly kind: PaymentEventKind;
  readonly signature: string | null;
  readonly slot: number | null;
  /** The period that the entry grants or moves. */
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  /** For example, why money matched nothing, or what an operator did about it. */
  readonly note: string | null;
}

export interface PaymentParty {
  readonly id: string;
  readonly handle: string;
}

/** One intent with everything that happened to it, or money that matched no intent. */
export interface PaymentHistory {
  /** Null for money that matches nothing. */
  readonly intent: {
    readonly id: string;
    readonly reference: string;
    readonly subscriber: PaymentParty;
    readonly caller: PaymentParty;
    readonly callerAddress: string;
    readonly callerSol: string;
    readonly platformAddress: string;
    readonly platformSol: string;
    readonly expiresAt: string;
    /** Time of the next search for it on the chain. Null once it's a day old. */
    readonly nextCheckAt: string | null;
  } | null;
  /** Oldest first. */
  readonly events: readonly PaymentEvent[];
}

export interface OpenOrphan {
  readonly signature: string;
  readonly reason: string;
  readonly payerAddress: string;
  readonly callerSol: string | null;
  readonly platformSol: string;
  readonly paidAt: string;
  readonly foundAt: string;
}

export interface FailedEvent {
  readonly eventId: string;
  readonly messages: number;
  readonly error: string;
  readonly at: string;
}

export interface LedgerCheck {
  readonly day: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Error of its last attempt. Null once it continues. */
  readonly error: string | null;
  readonly problemCount: number | null;
  readonly problems: string | null;
  /** Signatures that no endpoint could read. */
  readonly unread: number;
  readonly dustTransfers: number;
  readonly dustSol: string;
}

/** All open reports of one thing. */
export interface ReportedThing {
  readonly kind: (typeof REPORTED_KINDS)[number];
  readonly subjectId: string;
  readonly callerId: string;
  readonly callerHandle: string;
  /** Also true if the account was deleted. */
  readonly isCallerSuspended: boolean;
  /** The call's id, for a call or an update. */
  readonly callId: string | null;
  /** The bio, thesis or update. Null if there is none. */
  readonly text: string | null;
  readonly isTextHidden: boolean;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The newest reports. */
  readonly reports: readonly {
    readonly reason: (typeof REPORT_REASONS)[number];
    readonly text: string | null;
    readonly at: string;
    readonly reporterHandle: string;
  }[];
}

/** The last hour, day or week. */
export const METRICS_HOURS = ['1', '24', '168'] as const;
export type MetricsHours = (typeof METRICS_HOURS)[number];
export const metricsQuerySchema = z.strictObject({ hours: z.enum(METRICS_HOURS).default('24') });

export type MetricsChartId =
  | 'requests'
  | 'latency'
  | 'cron_lag'
  | 'failed_jobs'
  | 'source_failures'
  | 'payments'
  | 'send_lag';

/** A figure over time. `count`: a sum. `ms`: a maximum, or of `latency` the slowest route's 99th percentile. */
export interface MetricsChart {
  readonly id: MetricsChartId;
  readonly unit: 'count' | 'ms';
  /** Oldest first. */
  readonly points: readonly { readonly at: string; readonly value: number }[];
  /** The whole time by route, job or state, largest first. */
  readonly parts: readonly { readonly name: string; readonly value: number }[];
}

export interface OperatorsMetrics {
  /** The settings without which there are no charts. */
  readonly missing: readonly string[];
  readonly charts: readonly MetricsChart[];
}

/** Answer of `GET /api/operators/overview`: the current problems. Each list has its most important entries. */
export interface OperatorsOverview {
  /** The last run of each of the cron's jobs. Those that fail come first. */
  readonly jobs: readonly {
    readonly job: string;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly failingSince: string | null;
    readonly error: string | null;
  }[];
  readonly endpoints: readonly { readonly endpoint: string; readonly since: string }[];
  readonly orphans: readonly OpenOrphan[];
  /** Payers of several open orphans. */
  readonly orphanPayers: readonly { readonly payerAddress: string; readonly orphans: number }[];
  readonly failedEvents: readonly FailedEvent[];
  readonly ledgerChecks: readonly LedgerCheck[];
  readonly reported: readonly ReportedThing[];
}
