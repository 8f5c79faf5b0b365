import type { OperatorsPage, OperatorsRow } from '#schema/contracts/operators.ts';
import { explainCommission } from '#schema/rules/money/earned.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import type { Database } from '../../../shared/database.ts';
import { createEarnedRepository } from '../../money/payments/earned.repository.ts';
import { link, row, section, sol, type Fact } from './page.ts';

type Repository = ReturnType<typeof createEarnedRepository>;
type MonthRow = Awaited<ReturnType<Repository['listMonths']>>[number];
type CheckRow = Awaited<ReturnType<Repository['listChecks']>>[number];

const AMOUNTS = ['Received', 'In the ledger', 'On the chain', 'Not compared yet', 'Not explained'];
const UNEXPLAINED = AMOUNTS.length - 1;

/** What we earned: in all months by 'all', or in one, such as '2026-11'. Null for a month without payments. */
export async function earnedPage(db: Database, id: string): Promise<OperatorsPage | null> {
  const repository = createEarnedRepository(db);
  const isAll = id === 'all';
  const rows = await repository.listMonths();
  if (!isAll && !rows.some(({ month }) => month === id)) return null;
  const [comparedUntil, orphans, checks] = await Promise.all([
    repository.comparedUntil(),
    repository.findOrphans(isAll ? null : id),
    isAll ? [] : repository.listChecks(id),
  ]);
  const months = rows.map(({ month, payments, ...sums }) => ({
    month,
    payments,
    amounts: amountsOf({ month, ...sums }, comparedUntil),
  }));
  const shown = months.filter(({ month }) => isAll || month === id);
  const sums = AMOUNTS.map((_, index) =>
    shown.reduce((sum, { amounts }) => sum + (amounts[index] ?? 0n), 0n),
  );
  const payments = shown.reduce((sum, month) => sum + month.payments, 0);
  const facts: Fact[] = [
    ['Payments', String(payments)],
    ...sums.map((sum, index) => [AMOUNTS[index] ?? '', sol(sum)] as const),
    ['Compared', comparedUntil > 0 ? `payments recorded until ${utcMinute(comparedUntil)}` : 'nothing yet'],
    ['Open orphans', `${orphans.count}, with ${sol(orphans.total)} to us`],
    ...(isAll ? [] : [['Dust', dustOf(checks)] as const]),
  ];
  const table = [
    ['Month', 'Payments', ...AMOUNTS],
    ...months.map((each) => [
      link('earned', each.month, each.month),
      String(each.payments),
      ...each.amounts.map(sol),
    ]),
  ];
  return {
    title: isAll ? 'What we earned' : `What we earned in ${id}`,
    badges: [],
    sections: [
      section('Commission', { facts, problems: Number(sums[UNEXPLAINED] !== 0n) }),
      ...(isAll
        ? [section('Months', { table })]
        : [section('What the daily checks found', { rows: checks.flatMap(checkRow), none: 'Nothing.' })]),
      section('Open orphans', { rows: orphans.shown.map(orphanRow), none: 'All money matches a payment.' }),
    ],
  };
}

function amountsOf(row_: Omit<MonthRow, 'payments'>, comparedUntil: number): bigint[] {
  const sums = { received: row_.lamports, ledger: row_.ledgerLamports, chain: row_.chainLamports };
  const { pending, unexplained } = explainCommission({ month: row_.month, ...sums }, comparedUntil);
  return [sums.received, sums.ledger, sums.chain, pending, unexplained];
}

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
