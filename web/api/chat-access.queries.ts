import { queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { pagedQuery } from './pages.ts';

export const joinLinksQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', callerId, 'telegram-chats'],
    queryFn: () => read(client.api.callers[':callerId']['telegram-chats'].$get({ param: { callerId } })),
  });

export const chatOthersQuery = (id: string) =>
  pagedQuery(['user', 'telegram-chats', id, 'others'], (query) =>
    client.api.user['telegram-chats'][':id'].others.$get({ param: { id }, query }),
  );
