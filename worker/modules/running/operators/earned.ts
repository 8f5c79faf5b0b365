import type { OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { explainCommission } from '#schema/rules/money/earned.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import type { Database } from '../../../shared/database.ts';
import { createEarnedRepository } from '../../money/payments/earned.repository.ts';
import { link, row, section, sol, type Fact } from './page.ts';

type Repository = ReturnType<typeof createEarnedRepository>;
type MonthRow = Awaited<ReturnType<Repository['listMonths']>>[number];
type Month = MonthRow & ReturnType<typeof explainCommission>;
type CheckRow = Awaited<ReturnType<Repository['listChecks']>>[number];

const EXPLAINED = 'Every lamport is explained.';

/** Our commission in all months ('all') or in one, such as '2026-11'. Null for a month without payments. */
export async function earnedPage(db: Database, id: string): Promise<OperatorsPage | null> {
  const repository = createEarnedRepository(db);
  const isAll = id === 'all';
  const rows = (await repository.listMonths()).filter(({ month }) => isAll || month === id);
  if (!isAll && rows.length === 0) return null;
  const [comparedUntil, orphans, checks] = await Promise.all([
    repository.comparedUntil(),
    repository.findOrphans(isAll ? null : id),
    isAll ? [] : repository.listChecks(id),
  ]);
  const months = rows.map((each): Month => {
    const { month, lamports: received, ledgerLamports: ledger, chainLamports: chain } = each;
    return { ...each, ...explainCommission({ month, received, ledger, chain }, comparedUntil) };
  });
  const sum = (amountOf: (month: Month) => bigint) =>
    months.reduce((total, month) => total + amountOf(month), 0n);
  const solOf = (amountOf: (month: Month) => bigint) => sol(sum(amountOf));
  const facts: Fact[] = [
    ['Payments', String(months.reduce((total, { payments }) => total + payments, 0))],
    ['Received', `${solOf(({ lamports }) => lamports)}: the commission of all granted payments`],
    ['In the ledger', `${solOf((month) => month.ledgerLamports)}: our records of the compared payments`],
    ['On the chain', `${solOf((month) => month.chainLamports)}: what their transactions left in our wallet`],
    ['Compared', comparedUntil > 0 ? `payments recorded until ${utcMinute(comparedUntil)}` : 'nothing yet'],
    ['Not compared yet', `${solOf(({ pending }) => pending)}: of payments after that`],
    ['Not explained', `${solOf(({ unexplained }) => unexplained)}: other differences of these sums`],
    ['Open orphans', `${orphans.count}, with ${sol(orphans.total)} to us`],
    ...(isAll ? [] : [['Dust', dustOf(checks)] as const]),
  ];
  return {
    title: isAll ? 'What we earned' : `What we earned in ${id}`,
    badges: [],
    sections: [
      section('Is every lamport explained?', {
        none: answer(months),
        problems: Number(sum(({ unexplained }) => unexplained) !== 0n),
      }),
      section('Commission', { facts }),
      isAll
        ? section('Months', { rows: months.map(monthRow) })
        : section('What the daily checks found', { rows: checks.flatMap(checkRow), none: 'Nothing.' }),
      section('Open orphans', { rows: orphans.shown.map(orphanRow), none: 'All money matches a payment.' }),
    ],
  };
}

/** Says yes even if the newest payments aren't compared yet. */
function answer(months: readonly Month[]): string {
  const isExplained = months.every(({ unexplained }) => unexplained === 0n);
  const sentences = months.flatMap(explain);
  if (sentences.length === 0) return EXPLAINED;
  return [...(isExplained ? ['So far, yes.'] : []), ...sentences].join(' ');
}

/** A sentence about what isn't explained, and one about what isn't compared yet. */
function explain({ month, payments, checkedPayments, pending, unexplained }: Month): string[] {
  const count = pluralize(payments - checkedPayments, 'payment');
  const sentences = [
    unexplained !== 0n && `${sol(unexplained)} of ${month} isn’t explained yet: see its daily checks.`,
    pending !== 0n && `${count} of ${month} will be compared by the next daily checks: ${sol(pending)}.`,
  ];
  return sentences.filter((sentence) => sentence !== false);
}

const monthRow = (each: Month) =>
  row({
    title: `${each.month}: ${sol(each.lamports)} from ${pluralize(each.payments, 'payment')}`,
    lines: [explain(each).join(' ') || EXPLAINED],
    links: [link('earned', each.month, each.month)],
  });

const orphanRow = ({
  signature,
  paidAt,
  lamports,
}: Awaited<ReturnType<Repository['findOrphans']>>['shown'][number]) =>
  row({
    id: signature,
    title: `${sol(lamports)} to us`,
    at: paidAt,
    links: [link('payment', signature, signature)],
  });

/** A check's problems, each with its payment. No row for a check that found nothing. */
function checkRow({ day, startedAt, problemCount, found }: CheckRow): OperatorsRow[] {
  if (problemCount === 0) return [];
  const ofPayments = (found ?? []).filter(({ problem }) => problem.startsWith('payment.'));
  return [
    row({
      id: day,
      title: problemCount === null ? 'Not finished' : pluralize(problemCount, 'problem'),
      at: startedAt,
      lines: (found ?? []).map(({ problem, subject }) => `${problem}: ${subject}`),
      links: ofPayments.map(({ subject }) => link('payment', subject, subject)),
    }),
  ];
}

function dustOf(checks: readonly CheckRow[]): string {
  const count = checks.reduce((sum, { dustTransfers }) => sum + dustTransfers, 0);
  return `${pluralize(count, 'transfer')}, ${sol(checks.reduce((sum, { dustLamports }) => sum + dustLamports, 0n))}`;
}
