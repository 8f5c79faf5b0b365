import { render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePageHead } from './use-page-head.ts';

function Page({ path }: { path: string | undefined }) {
  usePageHead(path);
  return null;
}

afterEach(() => {
  document.head.innerHTML = '';
});

it('the server-rendered head tags stay until the first navigation', () => {
  const shell = '<meta name="viewport" content="width=device-width"><title>Ada</title>';
  const ofAda =
    '<link rel="canonical" href="https://s.example/caller/ada"><meta name="description" content="Ada"><meta name="robots" content="noindex"><meta property="og:title" content="Ada"><meta name="twitter:image" content="https://s.example/ada.png">';
  document.head.innerHTML = shell + ofAda;
  const whole = document.head.innerHTML;
  const { rerender } = render(<Page path={undefined} />);
  for (const path of ['/caller/ada', '/caller/ada']) {
    rerender(<Page path={path} />);
    expect(document.head.innerHTML).toBe(whole);
  }
  rerender(<Page path="/" />);
  expect(document.head.querySelectorAll('meta, link')).toHaveLength(1);
  expect(document.head.querySelector('meta')?.name).toBe('viewport');
});
