import {
  createChart,
  createSeriesMarkers,
  LineSeries,
  LineStyle,
  TickMarkType,
  type CustomColorParser,
  type IPriceLine,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { SECOND_MS } from '#schema/constants.ts';
import { type LineChartMark, type LineChartPoint, placeInTime, toUnixSeconds } from './line-chart-layout.ts';

/* Half of a mark's word, about the axis of prices, and what a chart is at least taken to be wide. */
const MARGIN_PX = 22;
const AXIS_PX = 70;
const MIN_WIDTH_PX = 120;

export interface Drawing {
  /** Oldest first, at least two. */
  readonly line: readonly LineChartPoint[];
  readonly marks: readonly LineChartMark[];
  readonly baseline: number;
  readonly formatValue: (value: number) => string;
  /** In which of the two themes. */
  readonly isDark: boolean;
}

/**
 * A chart inside an element, for as long as it is not removed. Nothing in it can be dragged or zoomed: a finger or a wheel above it
 * scrolls the page. `show` draws anew.
 */
export function createLineDrawing(container: HTMLElement): {
  show: (drawing: Drawing) => void;
  remove: () => void;
} {
  const chart = createChart(container, {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: {
      attributionLogo: false,
      background: { color: 'transparent' },
      colorParsers: [createColourParser()],
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: 0.14 } },
    timeScale: { borderVisible: false, minBarSpacing: 0.1, timeVisible: true, tickMarkFormatter: formatTick },
    localization: { timeFormatter: formatTime },
  });
  const series = chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false });
  const markers = createSeriesMarkers<Time>(series);
  let baselineLine: IPriceLine | undefined;
  // Whatever the width: all of the time there is.
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent());

  return {
    remove: () => chart.remove(),
    show({ line, marks, baseline, formatValue, isDark }) {
      const colourOf = (token: string) => readColour({ container, token, isDark });
      const muted = colourOf('text-muted');
      const colour = colourOf((line.at(-1)?.value ?? baseline) >= baseline ? 'gain' : 'loss');
      chart.applyOptions({
        layout: { textColor: muted, fontFamily: getComputedStyle(container).fontFamily, fontSize: 12 },
        grid: { vertLines: { visible: false }, horzLines: { color: colourOf('line') } },
        crosshair: {
          vertLine: { color: muted, labelBackgroundColor: muted },
          horzLine: { color: muted, labelBackgroundColor: muted },
        },
      });
      series.applyOptions({
        color: colour,
        priceFormat: { type: 'custom', formatter: formatValue, minMove: 1, base: baseOf(line) },
      });
      const { places, margin } = placeInTime({
        line,
        marks,
        margin: MARGIN_PX / Math.max(MIN_WIDTH_PX, container.clientWidth - AXIS_PX),
      });
      chart.timeScale().applyOptions({ rightOffset: margin });
      series.setData(
        places.map(({ time, value }) =>
          value === undefined ? { time: time as UTCTimestamp } : { time: time as UTCTimestamp, value },
        ),
      );
      if (baselineLine !== undefined) series.removePriceLine(baselineLine);
      baselineLine = series.createPriceLine({
        price: baseline,
        color: muted,
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: false,
      });
      const tones = { entry: muted, end: colour, peak: colourOf('accent-text') };
      markers.setMarkers(
        marks
          .map(
            ({ at, label, tone }) =>
              ({
                time: toUnixSeconds(at) as UTCTimestamp,
                position: tone === 'peak' ? 'aboveBar' : 'inBar',
                shape: 'circle',
                color: tones[tone],
                text: label,
                size: 0.8,
              }) as const,
          )
          .sort((one, other) => one.time - other.time),
      );
      chart.timeScale().fitContent();
    },
  };
}

/** A colour of styles/tokens.css as it is where the chart stands. */
function readColour({
  container,
  token,
  isDark,
}: {
  container: HTMLElement;
  token: string;
  isDark: boolean;
}): string {
  const probe = document.createElement('span');
  probe.style.colorScheme = isDark ? 'dark' : 'light';
  probe.style.color = `var(--${token})`;
  container.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The library reads rgb alone and our colours are OKLCH: a painted pixel says what one is in rgb. */
function createColourParser(): CustomColorParser {
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return (colour) => {
    if (pixel === null) return null;
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, 1] as unknown as ReturnType<CustomColorParser>;
  };
}

/** How finely the axis may be divided: to four digits of the highest value, however small it is. */
function baseOf(line: readonly LineChartPoint[]): number {
  const highest = Math.max(...line.map(({ value }) => Math.abs(value)));
  return highest > 0 ? 10 ** Math.max(0, 4 - Math.floor(Math.log10(highest))) : 1;
}

/* The library's own words are in UTC: ours are in the reader's time zone. */
const tickFormats: Record<TickMarkType, Intl.DateTimeFormatOptions> = {
  [TickMarkType.Year]: { year: 'numeric' },
  [TickMarkType.Month]: { month: 'short' },
  [TickMarkType.DayOfMonth]: { month: 'short', day: 'numeric' },
  [TickMarkType.Time]: { hour: 'numeric', minute: '2-digit' },
  [TickMarkType.TimeWithSeconds]: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

function formatTick(time: Time, kind: TickMarkType): string {
  return new Date(Number(time) * SECOND_MS).toLocaleString('en-US', tickFormats[kind]);
}

function formatTime(time: Time): string {
  return new Date(Number(time) * SECOND_MS).toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}
