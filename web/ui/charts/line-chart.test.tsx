import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { beforeEach, expect, it, vi } from 'vitest';
import { formatClock } from '#web/lib/text/dates.ts';
import { seeEverything } from '#web/testing/seeing-observer.ts';
import { LineChart } from './line-chart.tsx';

const points = [
  { at: '2026-11-20T08:00:00.000Z', value: 2 },
  { at: '2026-11-20T09:00:00.000Z', value: 5 },
  { at: '2026-11-20T10:00:00.000Z', value: 3 },
];
const marks = [
  { at: '2026-11-20T08:00:00.000Z', value: 2, label: 'Entry', tone: 'entry' },
  { at: '2026-11-20T10:00:00.000Z', value: 3, label: 'End', tone: 'end' },
] as const;
const formatValue = (value: number) => `$${value.toFixed(2)}`;
const chart = (props: Partial<Parameters<typeof LineChart>[0]> = {}) => (
  <LineChart label="Price of WIF" points={points} formatValue={formatValue} {...props} />
);
const figure = () => screen.getByRole('figure', { name: 'Price of WIF' });
const textsOf = (tag: string) => [...figure().querySelectorAll(tag)].map(({ textContent }) => textContent);
const plot = () => figure().querySelector('path')?.closest('div') as HTMLElement;
/** The time under the pointer, if there is one, and the value on the axis. */
const readout = () => [...figure().querySelectorAll('span.absolute')].map(({ textContent }) => textContent);
const draw = async (props?: Parameters<typeof chart>[0]) => {
  render(chart(props));
  await waitFor(() => expect(plot()).toBeTruthy());
};
beforeEach(seeEverything);

it('the server renders a line chart as its text alternative with the height of the chart', () => {
  const html = renderToString(chart({ marks }));
  expect(html).toContain('h-64');
  expect(html).toContain('From $2.00');
  expect(html).not.toContain('<svg');
});

it('a line chart has a text alternative that includes the marks', () => {
  render(chart({ marks }));
  expect(textsOf('figcaption')[0]).toMatch(
    /^From \$2\.00 on Nov 20, 2026, .+ to \$3\.00 on Nov 20, 2026, .+\. Lowest \$2\.00, highest \$5\.00\. Entry: \$2\.00 on .+\. End: \$3\.00 on .+\.$/,
  );
});

it.each([[[]], [points.slice(0, 1)], [[points[0], points[0]]]])(
  'a line chart without two points at different times says that there is not enough data',
  (few) => {
    render(chart({ points: few as typeof points }));
    expect(screen.getByText('Not enough data for a chart yet.')).toBeTruthy();
  },
);

it.each([
  ['gain', 'its first value', undefined],
  ['gain', 'a lower baseline', 2.9],
  ['loss', 'a higher baseline', 4],
])('a line chart has the colour of a %s relative to %s', async (tone, _name, baseline) => {
  await draw({ baseline, marks });
  expect(plot().closest('.text-gain') !== null).toBe(tone === 'gain');
  expect(plot().closest('.text-loss') !== null).toBe(tone === 'loss');
});

it('a line chart shows the marks’ labels and the values and times of its axes', async () => {
  await draw({ marks, levels: [{ label: 'Target', value: 5.5 }] });
  const labels = ['Entry', 'End', 'Target', '$2.00', '$3.00', '$4.00', '$5.00'];
  const times = ['2026-11-20T08:30:00.000Z', '2026-11-20T09:30:00.000Z'].map((at) => formatClock(at));
  expect(textsOf('text')).toEqual(expect.arrayContaining([...labels, ...times]));
});

it('a line chart shows the value and time nearest to the mouse until the mouse is moved away', async () => {
  await draw();
  vi.spyOn(plot(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 400, 256));
  fireEvent.pointerMove(plot(), { clientX: 310, pointerType: 'mouse' });
  expect(readout()).toEqual([expect.stringMatching(/^Nov 20, 2026, \d+:00 [AP]M$/), '$5.00']);
  fireEvent.pointerMove(plot(), { clientX: 490, pointerType: 'mouse' });
  expect(readout()[1]).toBe('$3.00');
  fireEvent.pointerLeave(plot(), { pointerType: 'mouse' });
  expect(readout()).toEqual(['$3.00']);
});

it('a line chart shows the value that a finger has touched, until the finger scrolls the page', async () => {
  await draw();
  vi.spyOn(plot(), 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 256));
  fireEvent.pointerDown(plot(), { clientX: 200, pointerType: 'touch' });
  fireEvent.pointerLeave(plot(), { pointerType: 'touch' });
  expect(readout()[1]).toBe('$5.00');
  fireEvent.pointerCancel(plot(), { pointerType: 'touch' });
  expect(readout()).toEqual(['$3.00']);
});

it('the legend of a chart with two lines shows the values of both under the pointer', async () => {
  const sol = points.map(({ at }, index) => ({ at, value: 7 + index }));
  await draw({ compared: { names: ['Following', 'SOL'], points: sol } });
  const legend = () => figure().querySelector('p')?.textContent;
  expect(legend()).toBe('Following $3.00SOL $9.00');
  expect(figure().querySelectorAll('path[stroke-dasharray]')).toHaveLength(1);
  vi.spyOn(plot(), 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 256));
  fireEvent.pointerMove(plot(), { clientX: 200, pointerType: 'mouse' });
  expect(legend()).toBe('Following $5.00SOL $8.00');
  expect(textsOf('figcaption')[0]).toMatch(/ SOL: \$9\.00 on .+\.$/);
});

it('a line chart has no tab stop', async () => {
  await draw({ marks });
  expect(figure().querySelector('a, button, input, [tabindex]')).toBeNull();
});
