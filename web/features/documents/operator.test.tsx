import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
});

async function show(vars: Record<string, string>) {
  for (const [name, value] of Object.entries(vars)) vi.stubEnv(name, value);
  vi.resetModules();
  const { OperatorDetails } = await import('./operator.tsx');
  render(<OperatorDetails />);
}

it('OperatorDetails shows the configured operator', async () => {
  await show({
    VITE_OPERATOR_NAME: 'Example Ltd',
    VITE_OPERATOR_ADDRESS: '1 High Street',
    VITE_OPERATOR_EMAIL: 'hello@example.com',
  });
  expect(screen.getByText('Example Ltd')).toBeDefined();
  expect(screen.getByText('1 High Street')).toBeDefined();
  expect(screen.getByRole('link', { name: 'hello@example.com' })).toBeDefined();
});

it('OperatorDetails says that the operator is missing if none is configured', async () => {
  await show({ VITE_OPERATOR_NAME: '' });
  expect(screen.getByText(/hasn't entered their name and address yet/)).toBeDefined();
});
