import type { DeliveryLogEntry, NotificationSettings, NotificationSwitch } from '#schema/contracts/notifications.ts';
import { send } from './client.ts';

type Answer<Body> = Omit<Response, 'json'> & { json: () => Promise<Body> };

async function ask<Body>(path: string, init: RequestInit = {}): Promise<Answer<Body>> {
  return (await send(fetch(path, { credentials: 'include', ...init }))) as Answer<Body>;
}

const settings = async (method: string, path = '', body?: NotificationSwitch): Promise<NotificationSettings> =>
  (await ask<NotificationSettings>(`/api/user/notifications${path}`, { method, ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }) })).json();

export const readNotificationSettings = () => settings('GET');
export const switchNotification = (body: NotificationSwitch) => settings('PATCH', '', body);
export const muteCaller = (callerId: string) => settings('PUT', `/mutes/${encodeURIComponent(callerId)}`);
export const unmuteCaller = (callerId: string) => settings('DELETE', `/mutes/${encodeURIComponent(callerId)}`);
export const listDeliveries = (cursor: string | null) => ask<DeliveryLogEntry[]>(`/api/telegram/deliveries${cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`);
