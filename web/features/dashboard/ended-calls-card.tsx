import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { ListState, type ListStateProps } from '#web/lib/page/list-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallRows, type CallRowsProps } from './caller/call-rows.tsx';

/** The newest ended calls come first. The others are shown on request. */
const SHOWN = 2;

interface EndedCallsCardProps
  extends
    Omit<ListStateProps<readonly TokenCall[]>, 'children' | 'skeletons'>,
    Pick<CallRowsProps, 'isOwn' | 'renderAction'> {
  title: string;
}

export function EndedCallsCard({ title, isOwn, renderAction, ...list }: EndedCallsCardProps) {
  const [isAllShown, setIsAllShown] = useState(false);
  const count = list.query.data?.length ?? 0;
  return (
    <Card
      title={title}
      aside={
        count > SHOWN &&
        !isAllShown && (
          <Button size="sm" onClick={() => setIsAllShown(true)}>
            Show all {count}
          </Button>
        )
      }
      isFlush
    >
      <ListState {...list} skeletons={SHOWN}>
        {(calls) => (
          <CallRows
            label={title}
            calls={isAllShown ? calls : calls.slice(0, SHOWN)}
            isOwn={isOwn}
            renderAction={renderAction}
          />
        )}
      </ListState>
    </Card>
  );
}
