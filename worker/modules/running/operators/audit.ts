import type { OperatorAction, OperatorsLink, OperatorsRow } from '#schema/contracts/operators.ts';
import { ACTION_LABELS } from '#schema/rules/text/operator-actions.ts';
import type { AuditRow } from './operators.repository.ts';
import { link, personLink, row } from './page.ts';

const PAYMENT_ACTIONS: readonly OperatorAction[] = ['resolve_orphan', 'release_payment'];

export const operatorName = ({ operatorHandle, operatorXId }: AuditRow): string =>
  operatorHandle === null ? operatorXId : `@${operatorHandle}`;

export function auditRow(entry: AuditRow): OperatorsRow {
  const { id, at, action, kind, subjectId, subjectHandle, reason } = entry;
  const subject = subjectHandle === null ? subjectId : `@${subjectHandle}`;
  return row({
    id,
    title: `${ACTION_LABELS[action]}: ${[kind, subject].filter(Boolean).join(' ')}`,
    at,
    lines: [reason, `By ${operatorName(entry)}`],
    links: linksOf(entry),
  });
}

function linksOf({ action, kind, subjectId, subjectHandle }: AuditRow): OperatorsLink[] {
  if (subjectHandle !== null) return [personLink(subjectId, subjectHandle)];
  if (PAYMENT_ACTIONS.includes(action)) return [link('payment', subjectId, 'Payment')];
  const isOfCall = kind === 'thesis' || kind === 'call' || action === 'add_note' || action === 'remove_note';
  return isOfCall ? [link('call', subjectId, 'Call')] : [];
}
