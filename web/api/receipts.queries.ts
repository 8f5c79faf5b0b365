import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { cursorPaging, cursorParam, readPage } from './pages.ts';

export const EARNINGS_CSV_PATH = '/api/payments/earnings.csv';

// `staleTime: 0` refetches on every visit, because payments are finalized without an action of the user.

/** The signed-in user's payments, newest first. */
export const myPaymentsQuery = infiniteQueryOptions({
  queryKey: ['payments', 'paid'],
  queryFn: ({ pageParam }) => readPage(client.api.payments.$get({ query: cursorParam(pageParam) })),
  ...cursorPaging,
  staleTime: 0,
});

/** The signed-in caller's earnings, newest first. */
export const myEarningsQuery = infiniteQueryOptions({
  queryKey: ['payments', 'earned'],
  queryFn: ({ pageParam }) => readPage(client.api.payments.earnings.$get({ query: cursorParam(pageParam) })),
  ...cursorPaging,
  staleTime: 0,
});

/** The receipt of a payment. Only the payer and the paid caller can read it; other users get a 404. */
export const receiptQuery = (signature: string) =>
  queryOptions({
    queryKey: ['payments', 'receipt', signature],
    queryFn: () =>
      read(client.api.payments[':signature'].$get({ param: { signature: encodeURIComponent(signature) } })),
    staleTime: 0,
  });
