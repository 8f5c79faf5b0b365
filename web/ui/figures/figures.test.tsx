import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { formatProfilePrice, formatRecentCallPrice } from '#schema/rules/prices/format-prices.ts';
import { Address } from './address.tsx';
import { CallLine } from '../charts/call-line.tsx';
import { Change } from './change.tsx';
import { Field } from '../controls/field.tsx';
import { Input } from '../controls/input.tsx';
import { Price } from './price.tsx';
import { RelativeTime } from './relative-time.tsx';
import { Sparkline } from '../charts/sparkline.tsx';

const text = (element: React.ReactElement) => render(element).container.textContent;

it.each([
  [0.01, false, 'text-gain'],
  [0, false, 'text-loss'],
  [0, true, 'text-gain'],
  [-0.01, true, 'text-loss'],
])('the line of a call with a change of %d%% (active: %s) has the class %s', (percent, isOpen, colour) => {
  const { container } = render(<CallLine percent={percent} isOpen={isOpen} />);
  expect(container.firstElementChild?.getAttribute('class')).toContain(colour);
});

it.each([
  [12.34, 'neither', '+12.3%', 'text-gain'],
  [0.05, 'neither', '+0.1%', 'text-gain'],
  [0.04, 'loss', '0.0%', 'text-gain'],
  [0, 'gain', '0.0%', 'text-gain'],
  [0, 'loss', '0.0%', 'text-loss'],
  [0, 'neither', '0.0%', 'text-text'],
  [-0.04, 'gain', '0.0%', 'text-loss'],
  [-0.06, 'neither', '-0.1%', 'text-loss'],
  [-4, 'neither', '-4.0%', 'text-loss'],
] as const)('a change of %d (zeroIs: %s) is shown as %s', (percent, zeroIs, reading, colour) => {
  const { container } = render(<Change percent={percent} zeroIs={zeroIs} />);
  expect(container.innerHTML.includes('arrow-')).toBe(reading !== '0.0%');
  expect(container.textContent).toBe(reading);
  expect(container.firstElementChild?.className).toContain(colour);
});

it('a missing change is shown as a dash', () => {
  expect(text(<Change percent={null} />)).toBe('–');
});

it('a price flashes when it rises or falls, but not when it is first shown', () => {
  const { container, rerender } = render(<Price value="1" />);
  const tint = () => /animate-tick-(up|down)/.exec(container.innerHTML)?.[1];
  expect(tint()).toBeUndefined();
  rerender(<Price value="1.5" />);
  expect(tint()).toBe('up');
  rerender(<Price value="1.2" />);
  expect(tint()).toBe('down');
  rerender(<Price value={undefined} />);
  expect(tint()).toBeUndefined();
});

it('a price has every decimal, and its leading zeros are muted', () => {
  const { container } = render(<Price value="0.00002134" format={formatProfilePrice} />);
  expect(container.textContent).toBe('0.00002134');
  expect(container.querySelector('.text-text-muted')?.textContent).toBe('0.0000');
});

it('a tiny price has its zeros counted, and the exact price as its tooltip', () => {
  const { container } = render(<Price value="0.00000000012" format={formatProfilePrice} />);
  expect(container.textContent).toBe('0.0₉12');
  expect(container.querySelector('.text-text-muted')?.textContent).toBe('0.0₉');
  expect(screen.getByTitle('$0.00000000012').className).toContain('price');
});

it('a price that is missing or 0 is shown as the text for a missing price', () => {
  expect(text(<Price value={undefined} format={formatRecentCallPrice} missing="N/A" />)).toBe('N/A');
  expect(text(<Price value="0" format={formatRecentCallPrice} />)).toBe('N/A');
});

it('RelativeTime shows a relative time, or Unknown without a time', () => {
  expect(text(<RelativeTime at={new Date(Date.now() - 5 * 60_000).toISOString()} />)).toBe('5m ago');
  cleanup();
  expect(text(<RelativeTime at={null} />)).toBe('Unknown');
});

it('a sparkline is a labelled line with a circle at its end', () => {
  const { container } = render(<Sparkline values={[0, 5, -2]} label="Last 2 ended calls" />);
  expect(screen.getByRole('img', { name: 'Last 2 ended calls' })).toBeTruthy();
  expect(container.querySelectorAll('circle')).toHaveLength(1);
  expect(container.querySelector('svg')?.getAttribute('class')).toContain('text-loss');
});

it('a sparkline of fewer than two values is empty', () => {
  expect(render(<Sparkline values={[0]} label="" />).container.innerHTML).toBe('');
});

it('a form field connects its label, hint and error to its control', () => {
  render(
    <Field label="Fee" hint="In SOL" error="Too low">
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText('Fee');
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['In SOL', 'Too low']);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

it('an address is shown shortened, and its full form is copied', async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  render(<Address value="DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263" label="token address" />);
  expect(screen.getByText('DezX…B263')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Copy token address' }));
  await screen.findByText('Copied');
  expect(writeText).toHaveBeenCalledWith('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263');
});
