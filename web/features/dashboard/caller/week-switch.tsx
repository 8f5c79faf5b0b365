import { useMutation } from '@tanstack/react-query';
import { MONTH_DAYS } from '#schema/constants/money.ts';
import { WEEK_DAYS } from '#schema/rules/money/lengths.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Switch } from '#web/ui/controls/switch.tsx';

export function WeekSwitch({ sellsWeek }: { sellsWeek: boolean }) {
  const update = useMutation({
    ...updateCallerProfileMutation,
    onError: (error) => showError(error, 'Failed to change the lengths on sale'),
  });
  const next = update.isPending ? update.variables.sellsWeek : undefined;
  return (
    <Switch
      className="mt-2"
      label={`Also sell ${WEEK_DAYS} days`}
      description={`For ${WEEK_DAYS}/${MONTH_DAYS} of the monthly fee.`}
      checked={next ?? sellsWeek}
      onCheckedChange={(isChecked) => update.mutate({ sellsWeek: isChecked })}
    />
  );
}
