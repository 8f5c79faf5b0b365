import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { refuse } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { Problem } from '#verify/report.ts';
import { callerPath, recordOf, serve, type Site } from '#verify/test-support/site.ts';
import { startOf } from '#verify/test-support/tamper.ts';
import { VerifyRecord } from './verify-record.tsx';

const { log, plan, caller } = startOf(1);

/** Responds to the page's requests from a generated log. */
function serveToPage(site: Site, refused: (path: string) => Response | null = () => null) {
  vi.useFakeTimers({ toFake: ['Date'], now: plan.now });
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    paths.push(path);
    const refusal = refused(path);
    if (refusal !== null) return refusal;
    try {
      if (path.startsWith('/log/tile/')) return new Response(await site.source.fetchBytes(path));
      return new Response(await site.source.fetchText(path));
    } catch (error) {
      if (error instanceof Problem) return refuse(404, 'request.not_found', 'There is nothing here.');
      throw error;
    }
  });
  return paths;
}

async function verify() {
  renderScreen(<VerifyRecord callerId={caller}>Verify this record</VerifyRecord>);
  fireEvent.click(screen.getByRole('button', { name: 'Verify this record' }));
  return within(await screen.findByRole('dialog', { name: 'Verify this record' }));
}

describe('“Verify this record”', () => {
  it('“Verify this record” shows how many calls are verified, and since when', async () => {
    serveToPage(serve(log));
    const dialog = await verify();
    const headline = await dialog.findByText(/^Verified: /);
    expect(headline.textContent).toBe(
      `Verified: ${log.callers.get(caller)?.ended.length} ended calls, nothing missing or changed since Jun 1, 2026`,
    );
    expect(dialog.getByText('Every entry of the record is in the signed log')).toBeTruthy();
    expect(dialog.getByText(/^Whose key it is: first use/)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Save report' })).toBeTruthy();
    expect(JSON.parse(localStorage.getItem('solcallers.log') ?? '')).toMatchObject({
      size: log.entries.length,
    });
  });

  it('“Verify this record” doesn’t say “Verified” if the figures weren’t compared', async () => {
    const site = serve(log);
    const lastCallTimestamp = new Date(plan.now).toISOString();
    site.change(`/api/callers/${caller}`, (profile) => ({ ...profile, winRate: 99.5, lastCallTimestamp }));
    serveToPage(site);
    const dialog = await verify();
    expect(await dialog.findByText(/^Couldn't check: the figures weren’t compared/)).toBeTruthy();
    expect(dialog.queryByText(/^Verified/)).toBeNull();
    expect(dialog.getByText(/a call ended within the last five minutes/)).toBeTruthy();
  });

  it('“Verify this record” names the changed entry and tells the user what to do', async () => {
    const site = serve(log);
    const record = structuredClone(recordOf(log, caller, site.size)) as unknown as {
      entries: { entry: { kind: string; number: number; content: object } }[];
    };
    const end = record.entries.find(({ entry }) => entry.kind === 'ended');
    if (!end) throw new Error('The record has no ended call.');
    end.entry.content = { ...end.entry.content, endPrice: '9.5' };
    site.change(callerPath(caller), () => record);
    serveToPage(site);
    const dialog = await verify();
    expect(await dialog.findByText(/^Not verified: \d+ problems? found$/)).toBeTruthy();
    const problems = dialog.getByRole('list', { name: 'Problems' });
    expect(problems.textContent).toContain(
      `Entry ${end.entry.number} of this caller isn't in the log that was signed.`,
    );
    expect(dialog.getByText(/^Save the report:/)).toBeTruthy();
    expect(localStorage.getItem('solcallers.log')).toBeNull();
  });

  it('“Verify this record” gives no verdict without a response, and checks again', async () => {
    let isDown = true;
    const down = () => (isDown ? refuse(503, 'log.behind', 'The log is being written. Try again.') : null);
    serveToPage(serve(log), (path) => (path.startsWith('/log/callers/') ? down() : null));
    const dialog = await verify();
    expect(await dialog.findByText("Couldn't check: The log is being written. Try again.")).toBeTruthy();
    isDown = false;
    fireEvent.click(dialog.getByRole('button', { name: 'Check again' }));
    expect(await dialog.findByText(/^Verified: /)).toBeTruthy();
  });

  it('“Verify this record” waits for the server’s rate limit, and then continues', async () => {
    let refusals = 1;
    const paths = serveToPage(serve(log), () =>
      refusals-- > 0 ? new Response('', { status: 429, headers: { 'Retry-After': '0' } }) : null,
    );
    const dialog = await verify();
    expect(await dialog.findByText(/^Verified: /)).toBeTruthy();
    expect(paths.slice(0, 2)).toEqual([`/api/callers/${caller}`, `/api/callers/${caller}`]);
  });

  it('“Verify this record” stops when it is cancelled', async () => {
    let respond: (response: Response) => void = () => undefined;
    const paths: string[] = [];
    vi.stubGlobal('fetch', (path: string) => {
      paths.push(path);
      return new Promise<Response>((resolve) => (respond = resolve));
    });
    const dialog = await verify();
    await waitFor(() => expect(paths).toHaveLength(1));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    respond(Response.json({ id: caller }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(paths).toHaveLength(1);
  });
});
