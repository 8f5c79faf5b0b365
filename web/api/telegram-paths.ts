import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { send } from './client.ts';

type Answer<Body> = Omit<Response, 'json'> & { json: () => Promise<Body> };

export async function listDeliveries(cursor: string | null): Promise<Answer<DeliveryLogEntry[]>> {
  return (await send(fetch(`/api/telegram/deliveries${cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`, { credentials: 'include' }))) as Answer<DeliveryLogEntry[]>;
}
