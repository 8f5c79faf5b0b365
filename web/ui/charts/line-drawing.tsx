import { useMemo, useState, type PointerEvent } from 'react';
import { formatMinute } from '#web/lib/text/dates.ts';
import { classNames } from '../class-names.ts';
import {
  layoutLine,
  nearestPoint,
  PLOT_HEIGHT,
  type LayoutInput,
  type LineLayout,
  type PlacedPoint,
} from './line-layout.ts';

const DASHES = '5 4';

/** The drawing of a line chart, hidden from screen readers. Shows the last values, or those under the pointer. */
export function LineDrawing(props: LayoutInput & { isNeutral: boolean }) {
  const { isNeutral, line, baseline, compared, formatValue, timeZone } = props;
  // A moving pointer renders again with the same props.
  const layout = useMemo(() => layoutLine(props), [props]);
  const { pointedAt, handlers } = useCrosshair(layout.points);
  const shown = pointedAt ?? layout.points.at(-1);
  const lineTone = (line.at(-1)?.value ?? baseline) >= baseline ? 'text-gain' : 'text-loss';
  return (
    <div
      aria-hidden="true"
      className={classNames('figures text-xs select-none', isNeutral ? 'text-text' : lineTone)}
    >
      {compared && shown && (
        <p className="flex h-8 flex-wrap gap-x-4 whitespace-normal">
          <Legend name={compared.names[0]} value={formatValue(shown.value)} />
          <Legend
            name={compared.names[1]}
            value={formatValue(nearestPoint(layout.comparedPoints, shown.x)?.value ?? 0)}
            dashes={DASHES}
          />
        </p>
      )}
      <div className="flex h-64 cursor-crosshair touch-pan-y touch-pinch-zoom">
        <div className="relative min-w-0 flex-1" {...handlers}>
          <Plot layout={layout} pointedAt={pointedAt} />
          {pointedAt && (
            // Shift the label by its position in percent, so that it stays within the plot at both ends.
            <span
              className={classNames(LABEL, 'bg-text-muted text-surface')}
              style={{ bottom: 0, left: `${pointedAt.x}%`, transform: `translateX(-${pointedAt.x}%)` }}
            >
              {formatMinute(pointedAt.at, timeZone)}
            </span>
          )}
        </div>
        <div className="relative shrink-0">
          <svg width={layout.axisWidth} height="100%" className="overflow-visible fill-text-muted">
            {layout.values.map(([text, y]) => (
              <text
                key={text}
                x="100%"
                y={y}
                dy="0.35em"
                textAnchor="end"
                visibility={shown && Math.abs(y - shown.y) < LABEL_HEIGHT ? 'hidden' : undefined}
              >
                {text}
              </text>
            ))}
          </svg>
          {shown && (
            <span
              className={classNames(LABEL, 'bg-current')}
              style={{ right: 0, top: shown.y, transform: 'translateY(-50%)' }}
            >
              <span className="text-surface">{formatValue(shown.value)}</span>
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

/** A value of the axis is hidden under the label of the shown value, in px. */
const LABEL_HEIGHT = 18;
const LABEL = 'absolute z-1 rounded-sm px-1 py-0.5 ring-2 ring-surface-raised';

/** Tracks a mouse until it leaves, and a finger until it begins to scroll the page. */
function useCrosshair(points: LineLayout['points']) {
  const [x, setX] = useState<number | null>(null);
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setX(((clientX - left) / width) * 100);
  };
  const stop = () => setX(null);
  return {
    pointedAt: x === null ? undefined : nearestPoint(points, x),
    handlers: {
      onPointerDown: follow,
      onPointerMove: follow,
      onPointerCancel: stop,
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') stop();
      },
    },
  };
}

function Legend({ name, value, dashes }: { name: string; value: string; dashes?: string }) {
  return (
    <span className={classNames('inline-flex items-center gap-1.5', dashes && 'text-text-muted')}>
      <svg width="24" height="8" stroke="currentColor" strokeWidth="2">
        <line x1="0" x2="24" y1="4" y2="4" strokeDasharray={dashes} />
      </svg>
      <span className="text-text-muted">{name}</span> <span className="font-medium text-text">{value}</span>
    </span>
  );
}

/** All horizontal positions are in percent of the width, so the plot needs no measuring. */
function Plot({ layout, pointedAt }: { layout: LineLayout; pointedAt: PlacedPoint | undefined }) {
  const { path, comparedPath, marks, levels, values, times, baselineY } = layout;
  // A phone has no room for all times, but for days.
  const firstDay = times.findIndex(([, text]) => !text.includes(':'));
  return (
    <svg width="100%" height="100%" className="overflow-visible">
      {values.map(([text, y]) => (
        <Across key={text} y={y} className="stroke-line" />
      ))}
      <Across y={baselineY} className="stroke-text-muted" dashes="3 3" />
      {times.map(([x, text], index) => (
        <text
          key={x}
          x={`${x}%`}
          y={PLOT_HEIGHT + 22}
          textAnchor={anchorAt(x)}
          className={classNames(
            'fill-text-muted',
            (index - firstDay) % Math.ceil(times.length / 4) !== 0 && 'max-sm:hidden',
          )}
        >
          {text}
        </text>
      ))}
      {/* Labels are outside of this SVG, because it is stretched to the width. */}
      <svg
        width="100%"
        height={PLOT_HEIGHT}
        viewBox={`0 0 100 ${PLOT_HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="overflow-visible"
      >
        {comparedPath && (
          <path
            d={comparedPath}
            className="stroke-text-muted"
            strokeDasharray={DASHES}
            vectorEffect="non-scaling-stroke"
          />
        )}
        <path d={path} stroke="currentColor" vectorEffect="non-scaling-stroke" />
      </svg>
      {levels.map(({ label, y }) => (
        <g key={label}>
          <Across y={y} className="stroke-accent-text" dashes="8 4" />
          <Label x={50} y={y < 15 ? y + 14 : y - 5} className="fill-accent-text">
            {label}
          </Label>
        </g>
      ))}
      {marks.map(({ x, y, label, tone, isLabelAbove }) => (
        <g key={`${x} ${y} ${tone}`} className={FILLS[tone]}>
          <circle cx={`${x}%`} cy={y} r="4" />
          {label !== undefined && (
            <Label x={x} y={isLabelAbove ? y - 10 : y + 19}>
              {label}
            </Label>
          )}
        </g>
      ))}
      {pointedAt && (
        <g className="stroke-text-muted">
          <line x1={`${pointedAt.x}%`} x2={`${pointedAt.x}%`} y1="0" y2={PLOT_HEIGHT} strokeDasharray="2 2" />
          <circle cx={`${pointedAt.x}%`} cy={pointedAt.y} r="4" className="fill-current" />
        </g>
      )}
    </svg>
  );
}

function Across({ y, className, dashes }: { y: number; className: string; dashes?: string }) {
  return <line x1="0" x2="100%" y1={y} y2={y} strokeDasharray={dashes} className={className} />;
}

const FILLS = { entry: 'fill-text-muted', end: 'fill-current', peak: 'fill-accent-text' } as const;

/** Outlined in the background's colour, so that the label is readable on the line. */
function Label({ x, className, ...rest }: { x: number; y: number; className?: string; children: string }) {
  return (
    <text
      {...rest}
      x={`${x}%`}
      textAnchor={anchorAt(x)}
      strokeWidth="3"
      strokeLinejoin="round"
      paintOrder="stroke"
      className={classNames('stroke-surface-raised', className)}
    />
  );
}

function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < 8) return 'start';
  return x > 92 ? 'end' : 'middle';
}
