import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { TITLES, tokenTitle } from '#schema/rules/text/page-texts.ts';
import { tokenCallsQuery } from '#web/api/calls.queries.ts';
import { tokenQuery } from '#web/api/prices.queries.ts';
import { TokenFacts } from '#web/features/dashboard/caller/token-facts.tsx';
import { isTokenMissing, TokenPage } from '#web/features/token/token-page.tsx';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';

export const Route = createFileRoute('/token/$mint')({
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(tokenCallsQuery(params.mint)),
  component: TokenRoute,
});

function TokenRoute() {
  const { mint } = Route.useParams();
  const { data: token, error } = useQuery(tokenCallsQuery(mint));
  const title = token ? tokenTitle(token) : TITLES.token;
  usePageTitle(isTokenMissing(error) ? TITLES.missingToken : title);
  return <TokenPage mint={mint} facts={<Facts mint={mint} />} />;
}

function Facts({ mint }: { mint: string }) {
  const query = useQuery(tokenQuery(mint));
  if (query.data) {
    const { price, at } = query.data;
    return (
      <TokenFacts
        token={query.data}
        price={price === null ? null : { price, at }}
        unrankedTitle="A call on this token won't be ranked now"
      />
    );
  }
  if (query.isPending) {
    return (
      <SkeletonGroup label="Loading safety">
        <Skeleton className="h-40 w-full" />
      </SkeletonGroup>
    );
  }
  return <LoadFailed what="the token's safety" query={query} />;
}
