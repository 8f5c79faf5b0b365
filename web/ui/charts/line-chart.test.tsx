import { fireEvent, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
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
const figure = () => screen.getByRole('figure', { name: 'Price of WIF' });
const textsOf = (tag: string) => [...figure().querySelectorAll(tag)].map(({ textContent }) => textContent);
const plot = () => figure().querySelector('polyline')?.closest('div') as HTMLElement;

describe('LineChart', () => {
  it('a line chart is rendered on the server without styles that the Content-Security-Policy forbids', () => {
    const html = renderToString(chart({ marks }));
    expect(html).toMatch(/<polyline points="0,[\d.]+ 50,[\d.]+ 100,[\d.]+"/);
    expect(html).not.toContain('style=');
  });

  it('a line chart has a text alternative that includes the marks', () => {
    render(chart({ marks }));
    expect(textsOf('figcaption')[0]).toMatch(
      /^From \$2\.00 on Nov 20, 2026, .+ to \$3\.00 on Nov 20, 2026, .+\. Lowest \$2\.00, highest \$5\.00\. Entry: \$2\.00 on .+\. End: \$3\.00 on .+\.$/,
    );
  });

  it.each([[[]], [points.slice(0, 1)], [[points[0], points[0]]]])(
    'a line chart with fewer than two points says that there is not enough data',
    (few) => {
      render(chart({ points: few as typeof points }));
      expect(screen.getByText('Not enough data for a chart yet.')).toBeTruthy();
    },
  );

  it.each([
    ['gain', 'its first value', undefined],
    ['gain', 'a lower baseline', 2.9],
    ['loss', 'a higher baseline', 4],
  ])('a line chart has the colour of a %s relative to %s', (tone, _name, baseline) => {
    render(chart({ baseline, marks }));
    expect(plot().classList.contains('text-gain')).toBe(tone === 'gain');
    expect(plot().classList.contains('text-loss')).toBe(tone === 'loss');
  });

  it('a line chart shows the marks’ labels and the values and times of its axes', () => {
    render(chart({ marks }));
    expect(textsOf('text')).toEqual(
      expect.arrayContaining(['Entry', 'End', '$2.00', '$3.00', '$4.00', '$5.00', '10:30 AM', '11:30 AM']),
    );
  });

  it('a line chart shows the value and time nearest to the pointer until a mouse leaves', () => {
    render(chart());
    vi.spyOn(plot(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 400, 256));
    fireEvent.pointerMove(plot(), { clientX: 310, pointerType: 'mouse' });
    expect(textsOf('span')).toEqual([expect.stringMatching(/^Nov 20, 2026, \d+:00 [AP]M$/), '$5.00']);
    fireEvent.pointerMove(plot(), { clientX: 490, pointerType: 'mouse' });
    expect(textsOf('span')[1]).toBe('$3.00');
    fireEvent.pointerLeave(plot(), { pointerType: 'mouse' });
    expect(textsOf('span')).toEqual([]);
  });

  it('a line chart shows the value that a finger has touched, until the finger scrolls the page', () => {
    render(chart());
    vi.spyOn(plot(), 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 400, 256));
    fireEvent.pointerDown(plot(), { clientX: 200, pointerType: 'touch' });
    fireEvent.pointerLeave(plot(), { pointerType: 'touch' });
    expect(textsOf('span')[1]).toBe('$5.00');
    fireEvent.pointerCancel(plot(), { pointerType: 'touch' });
    expect(textsOf('span')).toEqual([]);
  });

  it('a line chart has no tab stop', () => {
    render(chart({ marks }));
    expect(figure().querySelector('a, button, input, [tabindex]')).toBeNull();
  });
});
