import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import { stubCanvas } from '#web/testing/canvas.ts';
import { stubIntersection } from '#web/testing/intersection.ts';
import { LineChart } from './line-chart.tsx';

const points = [
  { at: '2026-11-20T10:00:00.000Z', value: 2 },
  { at: '2026-11-20T11:00:00.000Z', value: 5 },
  { at: '2026-11-20T12:00:00.000Z', value: 3 },
];
const marks = [
  { at: '2026-11-20T10:00:00.000Z', value: 2, label: 'Entry', tone: 'entry' },
  { at: '2026-11-20T12:00:00.000Z', value: 3, label: 'End', tone: 'end' },
] as const;
const formatValue = (value: number) => `$${value.toFixed(2)}`;
const chart = (props: Partial<Parameters<typeof LineChart>[0]> = {}) => (
  <LineChart label="Price of WIF" points={points} formatValue={formatValue} {...props} />
);

let style: HTMLStyleElement;
beforeEach(() => {
  style = document.createElement('style');
  style.textContent =
    ':root { --gain: rgb(0, 200, 100); --loss: rgb(200, 50, 0); --text-muted: rgb(9, 9, 9); } [data-theme="dark"] { --gain: rgb(1, 255, 1); }';
  document.head.append(style);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  style.remove();
  delete document.documentElement.dataset['theme'];
});

describe('LineChart', () => {
  it('draws nothing before it scrolls into view', async () => {
    const view = stubIntersection();
    stubCanvas();
    render(chart());
    const figure = screen.getByRole('figure', { name: 'Price of WIF' });
    await act(() => Promise.resolve());
    expect(figure.querySelector('canvas')).toBeNull();
    act(() => view.enter());
    await waitFor(() => expect(figure.querySelector('canvas')).not.toBeNull());
  });

  it('has a text alternative that includes the marks', () => {
    stubIntersection();
    render(chart({ marks }));
    const words = screen.getByRole('figure').querySelector('figcaption')?.textContent ?? '';
    expect(words).toMatch(
      /^From \$2\.00 on Nov 20, 2026, .+ to \$3\.00 on Nov 20, 2026, .+\. Lowest \$2\.00, highest \$5\.00\. Entry: \$2\.00 on .+\. End: \$3\.00 on .+\.$/,
    );
  });

  it.each([[[]], [points.slice(0, 1)], [[points[0], points[0]]]])(
    'says that there is not enough data for fewer than two points',
    (few) => {
      stubIntersection();
      render(chart({ points: few as typeof points }));
      expect(screen.getByText('Not enough data for a chart yet.')).toBeTruthy();
    },
  );

  it.each([
    ['gain', 'its first value', undefined],
    ['gain', 'a lower baseline', 2.9],
    ['loss', 'a higher baseline', 4],
  ])('has the colour of a %s relative to %s', async (tone, _name, baseline) => {
    const view = stubIntersection();
    const { colours } = stubCanvas();
    render(chart({ baseline, marks }));
    act(() => view.enter());
    await waitFor(() => expect(colours).toContain(tone === 'gain' ? '#00c864' : '#c83200'));
    expect(colours).not.toContain(tone === 'gain' ? '#c83200' : '#00c864');
  });

  it('updates its colours when the theme changes', async () => {
    const view = stubIntersection();
    const { colours } = stubCanvas();
    render(chart());
    act(() => view.enter());
    await waitFor(() => expect(colours).toContain('#00c864'));
    expect(colours).not.toContain('#01ff01');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'dark' })));
    await waitFor(() => expect(colours).toContain('#01ff01'));
  });

  it('writes the formatted values and the marks’ labels', async () => {
    const view = stubIntersection();
    const { texts } = stubCanvas();
    render(chart({ marks }));
    act(() => view.enter());
    await waitFor(() => expect(texts).toEqual(expect.arrayContaining(['Entry', 'End', '$3.00'])));
  });

  it.each([
    ['days on the axis of a long line', 45, false],
    ['times on the axis of a short line', 0.2, true],
  ])('writes %s', async (_name, days, hasTimes) => {
    const view = stubIntersection();
    const { texts } = stubCanvas();
    const at = (part: number) => new Date(Date.UTC(2026, 8, 20, 15, 27) + part * days * DAY_MS).toISOString();
    render(chart({ points: [0, 0.31, 0.63, 1].map((part) => ({ at: at(part), value: 2 + part })) }));
    act(() => view.enter());
    await waitFor(() => expect(texts).toContain(hasTimes ? '6:00 PM' : 'Oct'));
    expect(texts.some((text) => /\d:\d\d [AP]M/.test(text))).toBe(hasTimes);
  });

  it('writes each value and each time only once, even if the line has hardly moved', async () => {
    const view = stubIntersection();
    const { texts } = stubCanvas();
    const at = (seconds: number) => new Date(Date.UTC(2026, 8, 20, 15, 27, seconds)).toISOString();
    render(
      chart({
        points: [0, 10, 20, 30, 40].map((seconds) => ({ at: at(seconds), value: 2 + seconds / 10_000 })),
      }),
    );
    act(() => view.enter());
    await waitFor(() => expect(texts.some((text) => /\d:27:\d\d/.test(text))).toBe(true));
    const count = (text: string) => texts.filter((each) => each === text).length;
    const paints = texts.filter((text) => /:27:07 /.test(text)).length;
    expect(count('$2.00')).toBe(paints);
    expect(texts.some((text) => /^\d+:\d\d [AP]M$/.test(text))).toBe(false);
  });

  it('writes a tick at zero as zero, without rounding noise', async () => {
    const view = stubIntersection();
    const { texts } = stubCanvas();
    const prices = [0.000005, 0.00005];
    const line = [points[0], points[2]].map((point, index) => ({
      at: point?.at ?? '',
      value: prices[index] ?? 0,
    }));
    const peak = { at: line[1]?.at ?? '', value: prices[1] ?? 0, label: 'Peak', tone: 'peak' } as const;
    render(chart({ points: line, marks: [peak], formatValue: String }));
    act(() => view.enter());
    await waitFor(() => expect(texts).toContain('0'));
    expect(texts.filter((text) => /e-\d{2}/.test(text))).toEqual([]);
  });

  it('gives a line that stays at zero an axis of less than one unit', async () => {
    const view = stubIntersection();
    const { texts } = stubCanvas();
    const flat = points.map(({ at }) => ({ at, value: 0 }));
    render(chart({ points: flat, formatValue: (value) => `value ${value.toFixed(3)}` }));
    act(() => view.enter());
    await waitFor(() => expect(texts.filter((text) => text.startsWith('value')).length).toBeGreaterThan(1));
    const values = texts.filter((text) => text.startsWith('value')).map((text) => Number(text.slice(6)));
    expect(Math.max(...values.map(Math.abs))).toBeLessThan(1);
  });

  it('has no tab stop except the link to its source', async () => {
    const view = stubIntersection();
    stubCanvas();
    render(chart());
    act(() => view.enter());
    const figure = screen.getByRole('figure');
    await waitFor(() => expect(figure.querySelector('canvas')).not.toBeNull());
    expect(
      [...figure.querySelectorAll('a, button, input, [tabindex]')].map(({ textContent }) => textContent),
    ).toEqual(['TradingView Lightweight Charts']);
  });

  it('shows its figures as text when drawing fails', async () => {
    const view = stubIntersection();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => {
      throw new Error('No canvas here.');
    });
    render(chart());
    act(() => view.enter());
    expect(await screen.findByText(/The chart failed to load\. From \$2\.00/)).toBeTruthy();
  });
});
