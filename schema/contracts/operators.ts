import { z } from 'zod';
import { REPORTED_KINDS } from '#schema/constants/people.ts';
import {
  HIDEABLE_TEXTS,
  OPERATOR_ACTIONS,
  OPERATOR_REASON,
  OPERATORS_PAGES,
} from '#schema/constants/running.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import { deletionSchema } from './account.ts';
import { cursorSchema } from './shared.ts';

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
const deletion = actions.extract(['delete_account']);
const otherActions = actions.exclude([...textActions.options, ...reportActions.options, ...deletion.options]);

export const operatorActionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: otherActions, ...subject }),
  z.strictObject({ action: textActions, kind: z.enum(HIDEABLE_TEXTS), ...subject }),
  z.strictObject({ action: reportActions, kind: z.enum(REPORTED_KINDS), ...subject }),
  z.strictObject({ action: deletion, handle: deletionSchema.shape.handle, ...subject }),
]);
export type OperatorActionBody = z.infer<typeof operatorActionSchema>;

/** An action that the operator may take. `about` names its subject; `detail` says what it does to this one. */
interface Offer {
  readonly subjectId: string;
  readonly about: string;
  readonly detail?: string;
}
interface TextOffer extends Offer {
  readonly action: 'hide_text' | 'show_text';
  readonly kind: HideableText;
}
interface ReportOffer extends Offer {
  readonly action: 'resolve_reports';
  readonly kind: (typeof REPORTED_KINDS)[number];
}
interface DeletionOffer extends Offer {
  readonly action: 'delete_account';
}
interface PlainOffer extends Offer {
  readonly action: Exclude<OperatorAction, 'hide_text' | 'show_text' | 'resolve_reports' | 'delete_account'>;
}
export type OfferedAction = TextOffer | ReportOffer | DeletionOffer | PlainOffer;

/** `isDone` is false if there was nothing to change. Then nothing was recorded. */
export interface OperatorActionResponse {
  readonly isDone: boolean;
  readonly message: string;
}

/** `date`: the first day (UTC), such as '2026-11-30'. */
const date = z.iso.date();

export const auditQuerySchema = z.strictObject({
  /** The operator's numeric id on X, or handle. */
  operator: z.string().min(1).max(100).optional(),
  /** The id of a person, text, payment or event, or a person's handle. */
  subject: z.string().min(1).max(200).optional(),
  action: actions.optional(),
  since: date.optional(),
  cursor: cursorSchema.optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** Finds people, payments and calls, also by the address of a page about them. */
export const operatorsSearchSchema = z.strictObject({ search: z.string().trim().min(1).max(1_000) });

/** The id is a person's or call's id; a signature, reference or id of a payment; or a month or 'all'. */
export const operatorsPageSchema = z.strictObject({ kind: z.enum(OPERATORS_PAGES), id: z.string().max(100) });
export type OperatorsPageRequest = z.infer<typeof operatorsPageSchema>;

/**
 * `audit`: the entries about this subject. `profile` and `public_call`: the public page, by id. `explorer`: the id is the whole
 * address. The others are pages of the console.
 */
export interface OperatorsLink {
  readonly to: (typeof OPERATORS_PAGES)[number] | 'audit' | 'profile' | 'public_call' | 'explorer';
  readonly id: string;
  readonly text: string;
}

/** Here and below, texts have times in UTC, and amounts in SOL with all decimals. */
export interface OperatorsFact {
  readonly name: string;
  readonly value: string | OperatorsLink;
}

export interface OperatorsRow {
  /** Unique in its section. */
  readonly id: string;
  readonly title: string;
  /** ISO 8601; null if it has no time. */
  readonly at: string | null;
  /** Lines. */
  readonly text: string;
  readonly links: readonly OperatorsLink[];
  readonly actions: readonly OfferedAction[];
}

export interface OperatorsSection {
  readonly title: string;
  readonly facts: readonly OperatorsFact[];
  readonly rows: readonly OperatorsRow[];
  /** Said if there are no rows. Empty if that needs no words. */
  readonly none: string;
  readonly actions: readonly OfferedAction[];
  /** The number of things that an operator should look at. */
  readonly problems: number;
}

/** A page of the console: a person, a payment, a call, what we earned, or what is wrong now. */
export interface OperatorsPage {
  readonly title: string;
  readonly badges: readonly string[];
  readonly sections: readonly OperatorsSection[];
}

/** Response of `POST /api/operators/test-alarm`. */
export interface TestAlarmResponse {
  /** Says for each channel whether the alarm was sent. */
  readonly message: string;
}
