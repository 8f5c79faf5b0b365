import type { ReactNode } from 'react';
import type { CallDetail, CallUpdate, LevelHit } from '#schema/contracts/calls.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { collapseBlankLines } from '#web/lib/text/blank-lines.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ReportButton } from '#web/lib/report/report-button.tsx';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { Price } from '#web/ui/figures/price.tsx';

export interface CallTimelineProps {
  call: CallDetail;
  isOwner: boolean;
}

export function CallTimeline({ call, isOwner }: CallTimelineProps) {
  const events = listEvents(call, isOwner);
  return (
    <Card title="Timeline" className="mt-4">
      <ol className="space-y-4">
        {events.map(({ key, ...event }) => (
          <TimelineEvent key={key} {...event} />
        ))}
        {call.isActive && events.length === 1 && <li className="text-sm text-text-muted">No updates yet.</li>}
      </ol>
    </Card>
  );
}

const levelTitles: Readonly<Record<LevelHit['level'], string>> = { target: 'Target hit', stop: 'Stop hit' };

function listEvents(call: CallDetail, isOwner: boolean): (TimelineEventProps & { key: string })[] {
  const { entryPrice, callTimestamp, thesis, updates, levelHits, automaticEnd } = call;
  const at = (price: string) => (
    <>
      at <Price value={price} />, <Change percent={changePercent(entryPrice, price)} zeroIs="loss" />
    </>
  );
  const made = (
    <>
      at <Price value={entryPrice} />
      {thesis !== null && <Words text={thesis} />}
    </>
  );
  const news = [
    ...updates.map((update) => ({
      key: update.id,
      at: update.at,
      title: 'Update',
      children: <Words text={update.message || 'This text was deleted with the account.'} />,
      report: !isOwner && update.message !== '' && reportOf(update),
    })),
    ...levelHits.map((hit) => ({
      key: hit.level,
      at: hit.at,
      title: levelTitles[hit.level],
      children: at(hit.price),
    })),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const endTitle = automaticEnd === null ? 'Call ended' : 'Call ended automatically';
  return [
    { key: 'made', at: callTimestamp, title: 'Call made', children: made },
    ...news,
    ...(hasEnded(call)
      ? [{ key: 'end', at: call.endTimestamp, title: endTitle, children: at(call.endPrice), isEnd: true }]
      : []),
  ];
}

const reportOf = ({ id }: CallUpdate) => (
  <ReportButton subject={{ kind: 'update', id, name: 'this update' }} isCompact />
);

function Words({ text }: { text: string }) {
  return (
    <span dir="auto" className="block whitespace-pre-wrap text-text wrap-anywhere">
      {collapseBlankLines(text)}
    </span>
  );
}

interface TimelineEventProps {
  at: string;
  title: string;
  isEnd?: boolean;
  report?: ReactNode;
  children: ReactNode;
}

function TimelineEvent({ at, title, isEnd = false, report = null, children }: TimelineEventProps) {
  return (
    <li className="grid grid-cols-[0.75rem_minmax(0,1fr)] gap-x-3 text-sm">
      <svg aria-hidden="true" viewBox="0 0 12 12" className="mt-1 size-3 text-line-strong">
        <circle
          cx="6"
          cy="6"
          r="4.5"
          fill={isEnd ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
        />
      </svg>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{title}</span>
          <LocalTime at={at} format={formatMinute} className="text-xs text-text-muted" />
        </p>
        <div className="mt-0.5 flex items-start justify-between gap-3 text-text-muted">
          <div className="min-w-0">{children}</div>
          {report}
        </div>
      </div>
    </li>
  );
}
