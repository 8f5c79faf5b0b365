import { cleanup, render, screen } from '@testing-library/react';
import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { expect, it } from 'vitest';
import { QrCode } from './qr-code.tsx';

const draw = (url: string) => {
  render(<QrCode url={url} label="A code" />);
  const code = screen.getByRole('img', { name: 'A code' });
  const shown = { box: code.getAttribute('viewBox'), path: code.querySelector('path')?.getAttribute('d') };
  cleanup();
  return shown;
};

it('the QR code shows the link with a quiet zone of four modules', () => {
  const url = `https://t.me/SolCallersBot?start=${'n'.repeat(43)}`;
  const code = generate(url, { minCorrectionLevel: correction.M });
  expect(draw(url)).toEqual({ box: `-4 -4 ${code.size + 8} ${code.size + 8}`, path: toSvgPath(code) });
});

it('the QR code differs for a different link', () => {
  expect(draw('https://t.me/a_bot?start=one').path).not.toBe(draw('https://t.me/a_bot?start=two').path);
});
