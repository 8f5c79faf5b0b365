import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { AuditQuery, OperatorActionBody, OperatorsPageRequest } from '#schema/contracts/operators.ts';
import { client, read } from './client.ts';
import { statusQuery } from './status.queries.ts';
import { pagedQuery } from './pages.ts';
import { refetchAlways } from './refetch.ts';

const OPERATORS = ['operators'] as const;

export const nowQuery = queryOptions({
  queryKey: [...OPERATORS, 'now'],
  queryFn: () => read(client.api.operators.now.$get()),
  staleTime: 0,
  refetchInterval: MINUTE_MS,
});

export const operatorsSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [...OPERATORS, 'search', search],
    queryFn: () => read(client.api.operators.search.$get({ query: { search } })),
    staleTime: 0,
  });

export const operatorsPageQuery = (param: OperatorsPageRequest) =>
  queryOptions({
    queryKey: [...OPERATORS, param],
    queryFn: () => read(client.api.operators[':kind'][':id'].$get({ param })),
    staleTime: 0,
  });

export const auditQuery = (filter: Omit<AuditQuery, 'cursor'>) =>
  pagedQuery(
    [...OPERATORS, 'audit', filter],
    (query) => client.api.operators.audit.$get({ query: { ...filter, ...query } }),
    { staleTime: 0 },
  );

export const operatorActionMutation = mutationOptions({
  mutationFn: (json: OperatorActionBody) => read(client.api.operators.actions.$post({ json })),
  onSettled: refetchAlways(OPERATORS, statusQuery.queryKey),
});

export const testAlarmMutation = mutationOptions({
  mutationFn: () => read(client.api.operators['test-alarm'].$post()),
});
