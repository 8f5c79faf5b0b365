import { useMutation, useQuery } from '@tanstack/react-query';
import { nowQuery, testAlarmMutation } from '#web/api/operators.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { ConsolePage } from './console-page.tsx';

/** The first page: what users can't do now, and everything that an operator should look at. */
export function NowPage() {
  const test = useMutation({
    ...testAlarmMutation,
    onSuccess: ({ message }) => toast({ title: 'Test alarm', description: message }),
    onError: (error) => showError(error, 'No alarm was sent'),
  });
  return (
    <ConsolePage
      query={useQuery(nowQuery)}
      what="what users can’t do"
      aside={
        <Button size="sm" isPending={test.isPending} onClick={() => test.mutate()}>
          Send a test alarm
        </Button>
      }
    />
  );
}
