import { PAUSABLE } from '#schema/constants.ts';
import type { Pausable, Pause } from '#schema/contracts/pauses.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import type { Plan } from './action-labels.ts';
import { Actions } from './actions.tsx';

const NAMES: Readonly<Record<Pausable, string>> = {
  payments: 'New payments',
  calls: 'New calls',
  posting: 'Messages about calls, and posts on X',
};

export function PausesCard({ pauses, onPlan }: { pauses: readonly Pause[]; onPlan: Plan }) {
  return (
    <Card title="Pauses" description="For everybody, with a banner that says why" isFlush>
      <ul aria-label="Pauses" className="divide-y divide-line">
        {PAUSABLE.map((kind) => {
          const pause = pauses.find((each) => each.kind === kind);
          const action = pause ? 'resume' : 'pause';
          return (
            <li key={kind} className="flex flex-wrap items-start justify-between gap-3 px-4 py-3 text-sm">
              <div className="min-w-0 wrap-anywhere">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {NAMES[kind]}
                  {pause && <Badge tone="warn">Paused</Badge>}
                </p>
                {pause && (
                  <p className="text-text-muted">{`Since ${formatMinute(pause.since)}: ${pause.reason}`}</p>
                )}
              </div>
              <Actions onPlan={onPlan} actions={[{ action, subjectId: kind, about: NAMES[kind] }]} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
