import { fireEvent, render } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Avatar } from './avatar.tsx';

it('an avatar shows its image', () => {
  const { container } = render(<Avatar src="https://img.example/a.png" name="Ada" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('https://img.example/a.png');
});

// Specification 2.166, 8.50
it('an avatar shows the first letter when the image fails', () => {
  const { container } = render(<Avatar src="https://img.example/a.png" name="ada" />);
  fireEvent.error(container.querySelector('img') as Element);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('A');
});

it('an avatar tries a new image after an earlier one failed', () => {
  const { container, rerender } = render(<Avatar src="https://img.example/a.png" name="A" />);
  fireEvent.error(container.querySelector('img') as Element);
  rerender(<Avatar src="https://img.example/b.png" name="A" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('https://img.example/b.png');
});

it('an avatar without an image shows the first character with its accent', () => {
  expect(render(<Avatar src={null} name="Ångström" />).container.textContent).toBe('Å');
});

it('a server-rendered avatar shows the first letter when its image failed before hydration', () => {
  const avatar = <Avatar src="https://img.example/a.png" name="ada" />;
  const container = document.createElement('div');
  container.innerHTML = renderToString(avatar);
  const image = container.querySelector('img') as HTMLImageElement;
  Object.defineProperty(image, 'currentSrc', { value: image.src });
  Object.defineProperty(image, 'complete', { value: true });
  render(avatar, { container: document.body.appendChild(container), hydrate: true });
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('A');
});
