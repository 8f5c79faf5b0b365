import { index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { HIDEABLE_TEXTS, OPERATOR_ACTIONS, PAUSABLE } from '#schema/constants/running.ts';
import { callReference } from './calls.ts';
import { timestamp } from './columns.ts';
import { table } from './table.ts';

/** The log of operators' actions. It is append-only: triggers refuse changes and deletion. */
export const operatorAudit = table(
  'operator_audit',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    at: timestamp('at').notNull(),
    operatorXId: text('operator_x_id').notNull(),
    action: text('action', { enum: OPERATOR_ACTIONS }).notNull(),
    /** The id of the person, text, orphan, event or report. */
    subjectId: text('subject_id').notNull(),
    reason: text('reason').notNull(),
    /** The kind of the text or report. Null for other subjects. */
    kind: text('kind'),
  },
  { withheld: "Our operators' actions with their reasons.", never: 'changed' },
  (table) => [
    uniqueIndex('operator_audit_id').on(table.id),
    index('operator_audit_subject').on(table.subjectId, table.seq),
    index('operator_audit_operator').on(table.operatorXId, table.seq),
    index('operator_audit_action').on(table.action, table.seq),
  ],
);

/** Texts that operators have hidden. The texts themselves stay unchanged (`worker/modules/log/hidden-texts.repository.ts`). */
export const hiddenTexts = table(
  'hidden_texts',
  {
    kind: text('kind', { enum: HIDEABLE_TEXTS }).notNull(),
    /** The id of the user (bio), of the call (thesis) or of the update. */
    subjectId: text('subject_id').notNull(),
    at: timestamp('at').notNull(),
  },
  { withheld: 'Public texts that we have hidden. They are shown as hidden.' },
  (table) => [primaryKey({ columns: [table.kind, table.subjectId] })],
);

/** The functions that are paused for everybody. A row is deleted when it's resumed. */
export const pauses = table(
  'pauses',
  {
    kind: text('kind', { enum: PAUSABLE }).primaryKey(),
    /** Shown to everybody. */
    reason: text('reason').notNull(),
    at: timestamp('at').notNull(),
  },
  { withheld: 'What we have paused for everybody, and why.' },
);

/** Operators' public notes on ended calls. A trigger refuses notes on active calls. */
export const callNotes = table(
  'call_notes',
  {
    callId: callReference('call_id').primaryKey(),
    text: text('text').notNull(),
    at: timestamp('at').notNull(),
  },
  { withheld: 'Our public notes on ended calls. Each call page shows them.' },
);
