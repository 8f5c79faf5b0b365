import type { ReactNode } from 'react';
import { formatHeld } from '#schema/rules/text/format-durations.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { TokenName } from '#web/ui/figures/token-name.tsx';
import { sampleActiveCalls, sampleHistory, type SampleCall } from './sample-data.ts';

export function SampleActiveCalls() {
  const end = () => window.alert('Call ended successfully! Performance has been recorded.');
  return (
    <Card
      title="Active Calls"
      aside={<span className="figures text-sm text-text-muted">{sampleActiveCalls.length}</span>}
      isFlush
    >
      <ul aria-label="Active Calls" className="divide-y divide-line">
        {sampleActiveCalls.map((call) => (
          <SampleCallRow
            key={call.id}
            call={call}
            until={{ label: 'Now', price: call.currentPrice }}
            when={<RelativeTime at={call.callTimestamp} />}
          >
            <Button size="sm" aria-label={`End ${call.tokenSymbol}`} onClick={end}>
              End
            </Button>
          </SampleCallRow>
        ))}
      </ul>
    </Card>
  );
}

export function SampleCallHistory() {
  return (
    <Card title="Call History" isFlush>
      <ul aria-label="Call History" className="divide-y divide-line">
        {sampleHistory.map((call) => (
          <SampleCallRow
            key={call.id}
            call={call}
            until={{ label: 'End', price: call.endPrice }}
            when={
              <>
                <RelativeTime at={call.endTimestamp} />
                <span className="figures">Duration {formatHeld(call)}</span>
              </>
            }
          />
        ))}
      </ul>
    </Card>
  );
}

interface SampleCallRowProps {
  call: SampleCall;
  until: { label: 'Now' | 'End'; price: string };
  when: ReactNode;
  children?: ReactNode;
}

function SampleCallRow({ call, until, when, children }: SampleCallRowProps) {
  return (
    <li
      className={classNames(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3 sm:gap-x-5',
        children ? 'sm:grid-cols-[minmax(0,1fr)_10rem_7rem_auto]' : 'sm:grid-cols-[minmax(0,1fr)_10rem_7rem]',
      )}
    >
      <div className={classNames('flex min-w-0 items-center gap-3', !children && 'max-sm:col-span-2')}>
        <Avatar src={null} name={call.tokenSymbol} size="sm" shape="token" />
        <div className="min-w-0">
          <TokenName name={call.tokenName} symbol={call.tokenSymbol} />
          <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">{when}</p>
        </div>
      </div>
      <dl className="grid grid-cols-[auto_auto] justify-start gap-x-3 text-sm whitespace-nowrap sm:grid-cols-[auto_1fr] sm:justify-stretch [&>dd]:text-right [&>dt]:text-text-muted">
        <dt>Entry</dt>
        <dd>
          <Price value={call.entryPrice} />
        </dd>
        <dt>{until.label}</dt>
        <dd>
          <Price value={until.price} />
        </dd>
      </dl>
      <Change
        percent={changePercent(call.entryPrice, until.price)}
        className="text-right text-lg font-semibold whitespace-nowrap"
      />
      {children && (
        <div className="max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end">{children}</div>
      )}
    </li>
  );
}
