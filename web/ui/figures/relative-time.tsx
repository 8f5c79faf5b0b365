import type { PointerEvent } from 'react';
import { formatRelativeTime } from '#schema/rules/text/format.ts';
import { classNames } from '../class-names.ts';
import { useTimeDerivedValue } from './use-now.ts';

export interface RelativeTimeProps {
  at: string | null | undefined;
  missing?: string | undefined;
  className?: string | undefined;
}

export function RelativeTime({ at, missing = 'Unknown', className }: RelativeTimeProps) {
  const text = useTimeDerivedValue((now) => (isTime(at) ? formatRelativeTime(at, now) : missing));
  if (!isTime(at)) return <span className={className}>{text}</span>;
  return (
    <time dateTime={at} onPointerEnter={addTooltip} className={classNames('whitespace-nowrap', className)}>
      {text}
    </time>
  );
}

function isTime(at: string | null | undefined): at is string {
  return Boolean(at) && !Number.isNaN(Date.parse(at ?? ''));
}

/** Adds the exact time in the viewer's language and time zone, which the server doesn't know. */
function addTooltip({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = new Date(currentTarget.dateTime).toLocaleString();
}
