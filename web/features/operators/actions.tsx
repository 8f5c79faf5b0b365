import { Button } from '#web/ui/controls/button.tsx';
import { ACTION_LABELS, type Plan, type PlannedAction } from './action-labels.ts';

/** A button for each action. */
export function Actions({ actions, onPlan }: { actions: readonly PlannedAction[]; onPlan: Plan }) {
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {actions.map((planned) => (
        <Button
          key={planned.action}
          size="sm"
          aria-label={`${ACTION_LABELS[planned.action]}: ${planned.about}`}
          onClick={() => onPlan(planned)}
        >
          {ACTION_LABELS[planned.action]}
        </Button>
      ))}
    </div>
  );
}
