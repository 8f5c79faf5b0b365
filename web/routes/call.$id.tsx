import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { callTitle, TITLES } from '#schema/rules/text/page-texts.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { CallPage, isCallMissing } from '#web/features/call/call-page.tsx';
import { useShare } from '#web/features/share/use-share.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/call/$id')({
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(callQuery(params.id)),
  component: CallRoute,
});

function CallRoute() {
  const { id } = Route.useParams();
  const { data: call, error } = useQuery(callQuery(id));
  const { data: user } = useQuery(currentUserQuery);
  const share = useShare(user);
  const title = call ? callTitle(call) : TITLES.call;
  usePageTitle(isCallMissing(error) ? TITLES.missingCall : title);
  return (
    <>
      <CallPage id={id} renderShare={share.renderShare} />
      {share.dialog}
    </>
  );
}
