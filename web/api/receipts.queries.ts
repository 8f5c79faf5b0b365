import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import { client, read, send } from './client.ts';
import { cursorPaging, cursorParam, readNextCursor } from './pages.ts';

export interface PaymentsPage<Payment> {
  readonly payments: readonly Payment[];
  readonly nextCursor: string | null;
}

export const EARNINGS_CSV_PATH = '/api/payments/earnings.csv';

// `staleTime: 0` refetches on every visit, because payments become final without the user.

/** The signed-in user's payments, newest first. */
export const paidQuery = infiniteQueryOptions({
  queryKey: ['payments', 'paid'],
  queryFn: async ({ pageParam }): Promise<PaymentsPage<Receipt>> => {
    const response = await send(client.api.payments.$get({ query: cursorParam(pageParam) }));
    return { payments: await response.json(), nextCursor: readNextCursor(response.headers) };
  },
  ...cursorPaging,
  staleTime: 0,
});

/** The signed-in caller's earnings, newest first. */
export const earnedQuery = infiniteQueryOptions({
  queryKey: ['payments', 'earned'],
  queryFn: async ({ pageParam }): Promise<PaymentsPage<Earning>> => {
    const response = await send(client.api.payments.earnings.$get({ query: cursorParam(pageParam) }));
    return { payments: await response.json(), nextCursor: readNextCursor(response.headers) };
  },
  ...cursorPaging,
  staleTime: 0,
});

/** Readable by the payer and the paid caller; others get a 404. */
export const receiptQuery = (signature: string) =>
  queryOptions({
    queryKey: ['payments', 'receipt', signature],
    queryFn: (): Promise<Receipt> =>
      read(client.api.payments[':signature'].$get({ param: { signature: encodeURIComponent(signature) } })),
    staleTime: 0,
  });
