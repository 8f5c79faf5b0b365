import { expect, it } from 'vitest';
import { ownScript } from './own-scripts.ts';

it.each(['/sw.js', `${location.origin}/assets/verifier.worker-1.js`])(
  'pages may start the script %s',
  (url) => {
    expect(ownScript(url)).toBe(url);
  },
);

it.each([
  'https://evil.example/sw.js',
  '//evil.example/sw.js',
  'data:text/javascript,alert(1)',
  'blob:null/1',
])('pages may not start the script %s of another origin', (url) => {
  expect(() => ownScript(url)).toThrow(TypeError);
});
