import {
  createChart,
  createSeriesMarkers,
  LineSeries,
  LineStyle,
  TickMarkType,
  type ChartOptions,
  type CustomColorParser,
  type DeepPartial,
  type IPriceLine,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { type LineChartMark, type LineChartPoint, placeInTime, toUnixSeconds } from './line-chart-layout.ts';

/* In px: half a marker label, the price axis, the minimum chart width. */
const MARGIN_PX = 22;
const AXIS_PX = 70;
const MIN_WIDTH_PX = 120;
/** A longer line has days on its axis. A shorter line has the time of day. */
const LONGEST_WITH_TIMES_S = (2 * DAY_MS) / SECOND_MS;
/** In a line of at most this length, several ticks fall into the same minute, so the labels need seconds. */
const LONGEST_WITH_SECONDS_S = (5 * MINUTE_MS) / SECOND_MS;

/**
 * The scale of a line that stays at 0: its axis reaches from -0.05 to 0.05. For the logarithm of a stake, this
 * is about 12%.
 */
const FLAT_BASE = 100;

export interface Drawing {
  /** At least two points, oldest first. */
  readonly line: readonly LineChartPoint[];
  readonly marks: readonly LineChartMark[];
  readonly baseline: number;
  readonly formatValue: (value: number) => string;
  readonly isDark: boolean;
}

/**
 * Creates a chart inside an element. It can't be dragged or zoomed, so that a touch still scrolls the page.
 */
export function createLineDrawing(container: HTMLElement): {
  show: (drawing: Drawing) => void;
  remove: () => void;
} {
  const chart = createChart(container, chartOptions());
  const series = chart.addSeries(LineSeries, {
    lineWidth: 2,
    priceLineVisible: false,
    // Its tag would cover a label of the axis.
    lastValueVisible: false,
  });
  const markers = createSeriesMarkers<Time>(series);
  let baselineLine: IPriceLine | undefined;
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent());

  return {
    remove: () => chart.remove(),
    show({ line, marks, baseline, formatValue, isDark }) {
      const colours = readColours({ container, isDark });
      const isGain = (line.at(-1)?.value ?? baseline) >= baseline;
      const colour = isGain ? colours.gain : colours.loss;
      const { fontFamily } = getComputedStyle(container);
      chart.applyOptions(themedOptions({ colours, fontFamily }));
      series.applyOptions({
        color: colour,
        priceFormat: {
          type: 'custom',
          formatter: formatValue,
          tickmarksFormatter: (ticks: readonly number[]) => onceEach(withoutNoise(ticks).map(formatValue)),
          minMove: 1,
          base: baseOf(line),
        },
      });
      const width = Math.max(MIN_WIDTH_PX, container.clientWidth - AXIS_PX);
      const { places, margin } = placeInTime({ line, marks, margin: MARGIN_PX / width });
      chart.applyOptions({ timeScale: { rightOffset: margin, tickMarkFormatter: tickFormatOf(line) } });
      series.setData(places.map(({ time, ...place }) => ({ time: time as UTCTimestamp, ...place })));
      if (baselineLine !== undefined) series.removePriceLine(baselineLine);
      baselineLine = series.createPriceLine({
        price: baseline,
        color: colours.muted,
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: false,
      });
      markers.setMarkers(toMarkers(marks, { entry: colours.muted, end: colour, peak: colours.peak }));
      chart.timeScale().fitContent();
    },
  };
}

function chartOptions(): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: {
      attributionLogo: false,
      background: { color: 'transparent' },
      colorParsers: [createColourParser()],
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: 0.14 } },
    timeScale: { borderVisible: false, minBarSpacing: 0.1, timeVisible: true },
    localization: { timeFormatter: formatTime },
  };
}

type Colours = ReturnType<typeof readColours>;

function themedOptions({ colours: { muted, line }, fontFamily }: { colours: Colours; fontFamily: string }) {
  return {
    layout: { textColor: muted, fontFamily, fontSize: 12 },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    crosshair: {
      vertLine: { color: muted, labelBackgroundColor: muted },
      horzLine: { color: muted, labelBackgroundColor: muted },
    },
  };
}

function toMarkers(
  marks: readonly LineChartMark[],
  colours: Readonly<Record<LineChartMark['tone'], string>>,
): SeriesMarker<Time>[] {
  return marks
    .map(
      ({ at, label, tone }) =>
        ({
          time: toUnixSeconds(at) as UTCTimestamp,
          position: tone === 'peak' ? 'aboveBar' : 'inBar',
          shape: 'circle',
          color: colours[tone],
          text: label,
          size: 0.8,
        }) as const,
    )
    .sort((one, other) => one.time - other.time);
}

/** Reads the colours of styles/tokens.css that apply to the chart's container. */
function readColours({ container, isDark }: { container: HTMLElement; isDark: boolean }) {
  const probe = document.createElement('span');
  probe.style.colorScheme = isDark ? 'dark' : 'light';
  container.append(probe);
  const read = (token: string) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    muted: read('text-muted'),
    line: read('line'),
    gain: read('gain'),
    loss: read('loss'),
    peak: read('accent-text'),
  };
  probe.remove();
  return colours;
}

/** The library parses only rgb, but our colours are OKLCH. So this paints a pixel and reads its colour. */
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

/** The price format's `base`, which gives the highest value four significant digits. A flat line spans 5 / `base`. */
function baseOf(line: readonly LineChartPoint[]): number {
  const highest = Math.max(...line.map(({ value }) => Math.abs(value)));
  return highest > 0 ? 10 ** Math.max(0, 4 - Math.floor(Math.log10(highest))) : FLAT_BASE;
}

/** The library adds up its ticks, so the tick at zero may have a rounding error. */
function withoutNoise(ticks: readonly number[]): number[] {
  const highest = Math.max(...ticks.map(Math.abs));
  return ticks.map((tick) => (Math.abs(tick) < highest * 1e-9 ? 0 : tick));
}

/** Keeps only the first of equal labels. Rounded labels are equal if the line hardly moves. */
function onceEach(labels: readonly string[]): string[] {
  return labels.map((label, index) => (labels.indexOf(label) === index ? label : ''));
}

const dayFormats: Partial<Record<TickMarkType, Intl.DateTimeFormatOptions>> = {
  [TickMarkType.Year]: { year: 'numeric' },
  [TickMarkType.Month]: { month: 'short' },
  [TickMarkType.DayOfMonth]: { month: 'short', day: 'numeric' },
};

/**
 * Returns the format of the time axis. A long line shows only days. The library prefers to place ticks at days,
 * so hiding the times leaves no gap.
 */
function tickFormatOf(line: readonly LineChartPoint[]): (time: Time, kind: TickMarkType) => string {
  const [first, last] = [line[0], line.at(-1)].map((point) => toUnixSeconds(point?.at ?? ''));
  const length = Number(last) - Number(first);
  if (length <= LONGEST_WITH_SECONDS_S) return (time) => inEnglish(time, { ...clock, second: '2-digit' });
  if (length <= LONGEST_WITH_TIMES_S) return formatClockTick;
  return (time, kind) => {
    const format = dayFormats[kind];
    // In UTC, because the library starts a day at midnight UTC.
    return format === undefined ? '' : inEnglish(time, { ...format, timeZone: 'UTC' });
  };
}

const clock: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };

/** Formats a tick in the viewer's time zone. */
function formatClockTick(time: Time, kind: TickMarkType): string {
  return inEnglish(time, dayFormats[kind] ?? clock);
}

function inEnglish(time: Time, format: Intl.DateTimeFormatOptions): string {
  return new Date(Number(time) * SECOND_MS).toLocaleString('en-US', format);
}

function formatTime(time: Time): string {
  return inEnglish(time, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
}
