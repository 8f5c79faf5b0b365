import type { UseQueryResult } from '@tanstack/react-query';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { CallList } from './call-list.tsx';
import { HiddenCalls, type HiddenCallsProps } from './hidden-calls.tsx';

export interface ActiveCallsCardProps extends HiddenCallsProps {
  /** Number of active calls: those listed if the viewer can see them, else the profile's number. */
  count: number;
  calls: UseQueryResult<readonly TokenCall[]>;
}

/** Shows the active calls, or a placeholder if the viewer can't see them. */
export function ActiveCallsCard({ caller, count, calls, ...hidden }: ActiveCallsCardProps) {
  const isFollowed = caller.viewer.isOwner || caller.viewer.isSubscribed;
  const badge = <span className="figures text-sm text-text-muted">{count}</span>;
  return (
    <Card title="Active Calls" aside={badge} isFlush>
      {caller.viewer.canSeeActiveCalls ? (
        <ListState query={calls} what="active calls" empty={{ title: 'No active calls at the moment' }}>
          {(rows) => <CallList label="Active Calls" calls={rows} hasEnd={false} isFollowed={isFollowed} />}
        </ListState>
      ) : (
        <NoAccess caller={caller} {...hidden} />
      )}
    </Card>
  );
}

/** Invites viewers to subscribe, except to a deleted account. */
function NoAccess(props: HiddenCallsProps) {
  if (!isDeletedPerson(props.caller)) return <HiddenCalls {...props} />;
  return <EmptyState title="No more calls" description="This account was deleted." />;
}
