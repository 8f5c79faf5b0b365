import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { TITLES, tokenTitle } from '#schema/rules/text/page-texts.ts';
import { tokenCallsQuery } from '#web/api/calls.queries.ts';
import { tokenQuery } from '#web/api/tokens.queries.ts';
import { TokenFacts } from '#web/features/dashboard/caller/token-facts.tsx';
import { isTokenMissing, TokenPage } from '#web/features/token/token-page.tsx';
import { ListState } from '#web/lib/page/list-state.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

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
  return (
    <ListState query={query} what="the token's safety" loading={LOADING}>
      {(token) => (
        <TokenFacts
          token={token}
          price={token.price === null ? null : { price: token.price, at: token.at }}
          unrankedTitle="A call on this token won't be ranked now"
        />
      )}
    </ListState>
  );
}

const LOADING = <SkeletonBars label="Loading safety" bars={['h-40 w-full']} />;
