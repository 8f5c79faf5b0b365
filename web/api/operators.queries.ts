import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { OperatorActionBody } from '#schema/contracts/operators.ts';
import { client, read } from './client.ts';
import { statusQuery } from './status.queries.ts';
import { pagedQuery } from './pages.ts';
import { refetchAlways } from './refetch.ts';

const OPERATORS = ['operators'] as const;

export const overviewQuery = queryOptions({
  queryKey: [...OPERATORS, 'overview'],
  queryFn: () => read(client.api.operators.overview.$get()),
  staleTime: 0,
});

export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: [...OPERATORS, 'people', search],
    queryFn: () => read(client.api.operators.people.$get({ query: { search } })),
    enabled: search !== '',
    staleTime: 0,
  });

export const personTelegramQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATORS, 'person-telegram', id],
    queryFn: () => read(client.api.operators.people[':id'].telegram.$get({ param: { id } })),
    staleTime: 0,
  });

export const paymentHistoryQuery = (search: string) =>
  queryOptions({
    queryKey: [...OPERATORS, 'payments', search],
    queryFn: () => read(client.api.operators.payments.$get({ query: { search } })),
    enabled: search !== '',
    staleTime: 0,
  });

export const auditQuery = pagedQuery(
  [...OPERATORS, 'audit'],
  (query) => client.api.operators.audit.$get({ query }),
  {
    staleTime: 0,
  },
);

export const operatorActionMutation = mutationOptions({
  mutationFn: (json: OperatorActionBody) => read(client.api.operators.actions.$post({ json })),
  onSettled: refetchAlways(OPERATORS, statusQuery.queryKey),
});

export const testAlarmMutation = mutationOptions({
  mutationFn: () => read(client.api.operators['test-alarm'].$post()),
});
