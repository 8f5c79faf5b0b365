import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { operatorsSearchQuery } from '#web/api/operators.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Rows } from './console-page.tsx';

/** The results of a search. A single one opens its page. */
export function SearchPage({ search }: { search: string }) {
  return (
    <Card title={<h1>{`Found by “${search}”`}</h1>} isFlush>
      <ListState
        query={useQuery(operatorsSearchQuery(search))}
        what="what was found"
        empty={{ title: 'Nothing found', description: 'Check the handle, wallet, signature or id.' }}
      >
        {(rows) => {
          const [only] = rows.length === 1 ? (rows[0]?.links ?? []) : [];
          if (!only) return <Rows label="Found" rows={rows} />;
          return <Navigate to="/operators/$kind/$id" params={{ kind: only.to, id: only.id }} replace />;
        }}
      </ListState>
    </Card>
  );
}
