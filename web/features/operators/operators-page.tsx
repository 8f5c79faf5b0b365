import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { overviewQuery } from '#web/api/operators.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { ActionDialog } from './action-dialog.tsx';
import type { PlannedAction } from './action-labels.ts';
import { AuditCard } from './audit-card.tsx';
import { MetricsCard } from './metrics-card.tsx';
import { PausesCard } from './pauses-card.tsx';
import { PaymentCard, type PaymentCardProps } from './payment-card.tsx';
import { PeopleCard, type PeopleCardProps } from './people-card.tsx';
import { ProblemCards } from './problem-cards.tsx';

export interface OperatorsPageProps {
  people: Pick<PeopleCardProps, 'search' | 'onSearch'>;
  payment: PaymentCardProps;
}

export function OperatorsPage({ people, payment }: OperatorsPageProps) {
  const query = useQuery(overviewQuery);
  const [planned, setPlanned] = useState<PlannedAction | null>(null);
  return (
    <div className="desk space-y-4 py-6">
      <h1 className="text-xl font-semibold tracking-tight">{TITLES.operators}</h1>
      <PeopleCard {...people} onPlan={setPlanned} />
      <PaymentCard {...payment} />
      {query.data && <PausesCard pauses={query.data.pauses} onPlan={setPlanned} />}
      {query.data && <ProblemCards overview={query.data} onPlan={setPlanned} />}
      {query.isPending && <RowSkeletons count={3} label="Loading what is wrong now" />}
      {query.isLoadingError && <LoadFailed what="the problems" query={query} />}
      <MetricsCard />
      <AuditCard />
      <ActionDialog planned={planned} onClose={() => setPlanned(null)} />
    </div>
  );
}
