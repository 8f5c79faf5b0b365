import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { ConnectTelegramAnswer, SendUpdateAnswer, SendUpdateBody } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { client, read } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/** Saves a Telegram handle. The answer has the link that connects it; asked again, only the newest link works. */
export const connectTelegramMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (telegramHandle: string): Promise<ConnectTelegramAnswer> => read(client.api.user['telegram-connect'].$post({ json: { telegramHandle } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });

/** Forgets the handle and the chat. */
export const disconnectTelegramMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: () => read(client.api.user['telegram-disconnect'].$delete()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });

/** Asks for the account anew: whether Start was pressed is known to the server alone. */
export const checkTelegramMutation = (queryClient: QueryClient) =>
  mutationOptions({ mutationFn: (): Promise<CurrentUser | null> => queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }) });

/** Tells the followers of one's own active call something. */
export const sendUpdateMutation = mutationOptions({
  mutationFn: (body: SendUpdateBody): Promise<SendUpdateAnswer> => read(client.api.telegram['send-update'].$post({ json: body })),
});
