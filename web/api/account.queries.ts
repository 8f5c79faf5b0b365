import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CreateApiKeyBody } from '#schema/contracts/api-keys.ts';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import { client, read } from './client.ts';
import { refetchAlways } from './refetch.ts';
import { currentUserQuery } from './session.queries.ts';
import { storeResponse } from './store-response.ts';

/** This browser first. Refetched when the user returns to the tab, because other browsers also change it. */
export const waysQuery = queryOptions({
  queryKey: ['user', 'ways'],
  queryFn: () => read(client.api.user.ways.$get()),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

export const webhookQuery = queryOptions({
  queryKey: ['user', 'webhook'],
  queryFn: () => read(client.api.user.webhook.$get()),
});

const refetchWays = refetchAlways(waysQuery.queryKey, webhookQuery.queryKey, currentUserQuery.queryKey);

export const endWayMutation = mutationOptions({
  mutationFn: ({ id, withMade = false }: { id: string; withMade?: boolean }) =>
    read(client.api.user.ways[':id'].$delete({ param: { id }, query: { withMade: String(withMade) } })),
  onSettled: refetchWays,
});

export const endOtherWaysMutation = mutationOptions({
  mutationFn: (keep: string[]) => read(client.api.user.ways['end-others'].$post({ json: { keep } })),
  onSettled: refetchWays,
});

export const createApiKeyMutation = mutationOptions({
  mutationFn: (json: CreateApiKeyBody) => read(client.api.user['api-keys'].$post({ json })),
  // Don't cache the key.
  gcTime: 0,
  onSettled: refetchAlways(waysQuery.queryKey),
});

export const saveWebhookMutation = mutationOptions({
  mutationFn: (url: string) => read(client.api.user.webhook.$put({ json: { url } })),
  // Don't cache the secret.
  gcTime: 0,
  onSettled: refetchAlways(webhookQuery.queryKey),
});

export const sendWebhookSamplesMutation = mutationOptions({
  mutationFn: () => read(client.api.user.webhook.samples.$post()),
});

export const pushQuery = queryOptions({
  queryKey: ['user', 'push'],
  queryFn: () => read(client.api.user.push.$get()),
  staleTime: 0,
});

export const changePushMutation = mutationOptions({
  mutationFn: (json: PushDeviceBody | null) =>
    json === null ? read(client.api.user.push.$delete()) : read(client.api.user.push.$put({ json })),
  onSuccess: async (settings, _device, _result, context) => {
    await storeResponse(context.client, pushQuery, settings);
    return context.client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  },
});

/** A file with all data about the user. The server reads it part by part, so that no request is long. */
export async function exportData(onProgress: (rows: number) => void): Promise<File> {
  const sections: Record<string, unknown[]> = {};
  let head: ExportedData['head'] = null;
  let count = 0;
  for (let place: ExportedData['next'] = {}; place !== null;) {
    const part: ExportedData = await read(client.api.user.export.$get({ query: place }));
    head ??= part.head;
    for (const [name, rows] of Object.entries(part.sections)) {
      (sections[name] ??= []).push(...rows);
      count += rows.length;
    }
    onProgress(count);
    place = part.next;
  }
  const name = `${PRODUCT_NAME.toLowerCase()}-data-${head?.exported_at.slice(0, 10)}.json`;
  return new File([JSON.stringify({ ...head, ...sections }, null, 1)], name, { type: 'application/json' });
}
