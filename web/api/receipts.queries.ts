import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import { client, read, send } from './client.ts';
import { readNextCursor } from './pages.ts';

export interface PaymentsPage<Payment> {
  readonly payments: readonly Payment[];
  readonly nextCursor: string | null;
}

/** A link, not a call: the browser keeps the answer as a file. */
export const EARNINGS_CSV_PATH = '/api/payments/earnings.csv';

const fromFirst = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: PaymentsPage<unknown>) => page.nextCursor,
};
const queryOf = (cursor: string | null) => ({ query: cursor === null ? {} : { cursor } });

/* Payments become final by themselves, so every visit asks again. */

/** What the signed-in user paid, newest first, page by page. */
export const paidQuery = infiniteQueryOptions({
  queryKey: ['payments', 'paid'],
  queryFn: async ({ pageParam }): Promise<PaymentsPage<Receipt>> => {
    const response = await send(client.api.payments.$get(queryOf(pageParam)));
    return { payments: await response.json(), nextCursor: readNextCursor(response.headers) };
  },
  ...fromFirst,
  staleTime: 0,
});

/** What the signed-in caller was paid, newest first, page by page. */
export const earnedQuery = infiniteQueryOptions({
  queryKey: ['payments', 'earned'],
  queryFn: async ({ pageParam }): Promise<PaymentsPage<Earning>> => {
    const response = await send(client.api.payments.earnings.$get(queryOf(pageParam)));
    return { payments: await response.json(), nextCursor: readNextCursor(response.headers) };
  },
  ...fromFirst,
  staleTime: 0,
});

/** One payment, for who made it and for the caller whom it paid; others get a 404. */
export const receiptQuery = (signature: string) =>
  queryOptions({
    queryKey: ['payments', 'receipt', signature],
    queryFn: (): Promise<Receipt> =>
      read(client.api.payments[':signature'].$get({ param: { signature: encodeURIComponent(signature) } })),
    staleTime: 0,
  });
