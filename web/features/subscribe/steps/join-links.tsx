import { useQuery } from '@tanstack/react-query';
import { joinLinksQuery } from '#web/api/chat-access.queries.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';

/** Links to the caller's chats on Telegram, for whoever has access. */
export function JoinLinks({ callerId }: { callerId: string }) {
  const { data: links = [] } = useQuery(joinLinksQuery(callerId));
  return links.map(({ kind, title, url }) => (
    <LinkButton key={kind} href={url} className="w-full">
      Open the {kind} <bdi>{title}</bdi>
    </LinkButton>
  ));
}
