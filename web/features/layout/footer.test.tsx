import { cleanup, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderScreen } from '#web/testing/render-screen.tsx';

/** Imports the footer only after the variable is set, because the module reads the variable when it loads. */
async function renderFooter(tokenMint: string) {
  vi.stubEnv('VITE_TOKEN_MINT', tokenMint);
  vi.resetModules();
  const { Footer } = await import('./footer.tsx');
  renderScreen(<Footer />);
  return screen.getByText(/^Token contract address:/).textContent;
}

// Specification 2.30
it('the footer shows the configured token contract address, or that none is announced', async () => {
  expect(await renderFooter('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263')).toContain('DezX…B263');
  cleanup();
  expect(await renderFooter('')).toBe('Token contract address: not announced');
});
