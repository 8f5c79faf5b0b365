import type { ErrorBody } from '#schema/contracts/errors.ts';
import { must } from './violation.ts';

export type Reply = { readonly ok: true } | { readonly ok: false; readonly code: string };

export const OK: Reply = { ok: true };
/** The reply if an operation needs an intent, a transaction or a payment, and there is none. */
export const NOTHING: Reply = { ok: false, code: 'nothing' };

export async function read<Value>(pending: Promise<Response>): Promise<{ reply: Reply; body: Value }> {
  const response = await pending;
  const body = await response.json<Value | ErrorBody>();
  if (response.status === 200 || response.status === 201) return { reply: OK, body: body as Value };
  const { code } = (body as ErrorBody).error;
  must(
    response.status < 500 || code === 'chain.unavailable',
    `the response has status ${response.status}: ${code}`,
  );
  return { reply: { ok: false, code }, body: body as Value };
}

export const nth = <Item>(items: readonly Item[], fromNewest: number): Item | undefined =>
  items.at(-1 - (fromNewest % Math.max(1, items.length)));
export const present = <Item extends { isLost: boolean }>(items: readonly Item[]) =>
  items.filter(({ isLost }) => !isLost);
