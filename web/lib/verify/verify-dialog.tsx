import { useEffect, useRef, useState } from 'react';
import { formatCount } from '#schema/rules/text/format.ts';
import { noResponseReason } from '#web/api/api-error.ts';
import '#web/lib/browser/own-scripts.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { Target, Verdict } from '#verify/verify.ts';
import type { Check, CheckState } from './verifier.worker.ts';
import { titles, VerdictView } from './verdict-view.tsx';

/** Outcomes that say something about the record. */
const RESULTS: readonly Verdict['outcome'][] = ['verified', 'unconfirmed', 'failed'];
const RPC_KEY = 'solcallers.rpc';

interface VerifyDialogProps extends LazyDialogProps {
  title: string;
  getTarget: () => Target;
  onResult?: ((result: string) => void) | undefined;
}

export function VerifyDialog({ title, getTarget, onResult, ...dialog }: VerifyDialogProps) {
  const description = 'Your browser reads the public log and compares it with this site.';
  return (
    <Dialog {...dialog} title={title} description={description} size="lg">
      <Verification getTarget={getTarget} onResult={onResult} onClose={() => dialog.onOpenChange(false)} />
    </Dialog>
  );
}

interface VerificationProps extends Pick<VerifyDialogProps, 'getTarget' | 'onResult'> {
  onClose(): void;
}

function Verification({ getTarget, onResult, onClose }: VerificationProps) {
  const { state, start, cancel } = useVerifier(onResult);
  const [rpcUrl, setRpcUrl] = useState(() => pageStorage.getItem(RPC_KEY) ?? defaultRpcUrl());
  const fold = useRef<HTMLDetailsElement>(null);
  const problem = findProblem(rpcUrl);
  const isRunning = state?.kind === 'running';
  const isNewKeyTrusted = state?.kind === 'verdict' && state.verdict.outcome === 'untrusted';
  const verify = () => {
    if (problem !== null) return fold.current?.setAttribute('open', '');
    // Don't store the default, because it may change later.
    pageStorage.setItem(RPC_KEY, rpcUrl === defaultRpcUrl() ? null : rpcUrl);
    start({ target: getTarget(), rpcUrl: rpcUrl === '' ? null : rpcUrl, isNewKeyTrusted });
  };
  return (
    <div className="flex flex-col gap-4">
      <div aria-live="polite" className="empty:-mt-4">
        {state && <Status state={state} />}
      </div>
      {!isRunning && (
        <Fold foldRef={fold} title={`Times from Solana: ${URL.parse(rpcUrl)?.host ?? 'not confirmed'}`}>
          <Field
            label="RPC endpoint"
            hint="It isn't ours, and gets requests only after you press Verify. Without one, nothing is confirmed."
            error={problem}
          >
            <Input type="url" value={rpcUrl} onChange={({ target }) => setRpcUrl(target.value.trim())} />
          </Field>
        </Fold>
      )}
      <a
        href="/sealed-calls"
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-11 items-center self-start text-sm link md:min-h-8"
      >
        What this proves, and what it doesn't
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
      <div className="flex gap-2">
        <Button className="flex-1" onClick={isRunning ? cancel : onClose}>
          {isRunning ? 'Cancel' : 'Close'}
        </Button>
        <Button
          variant="primary"
          className="flex-1"
          data-first-choice=""
          isPending={isRunning}
          pendingText="Verifying..."
          onClick={verify}
        >
          {isNewKeyTrusted ? 'Trust the new key' : `Verify${state ? ' again' : ''}`}
        </Button>
      </div>
    </div>
  );
}

/** Runs the verifier in a thread of its own, which ends with the component. The state is null before the first check. */
function useVerifier(onResult: VerifyDialogProps['onResult']) {
  const [state, setState] = useState<CheckState | null>(null);
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);
  const fail = (text: string) => setState({ kind: 'problem', text });
  return {
    state,
    start(check: Check) {
      worker.current?.terminate();
      const started = new Worker(new URL('./verifier.worker.ts', import.meta.url), { type: 'module' });
      started.addEventListener('message', ({ data }: MessageEvent<CheckState>) => {
        setState(data);
        if (data.kind !== 'verdict') return;
        const { outcome } = data.verdict;
        if (RESULTS.includes(outcome)) onResult?.(titles[outcome].text);
      });
      started.addEventListener('error', () => fail(navigator.onLine ? NOT_STARTED : noResponseReason()));
      worker.current = started;
      started.postMessage(check, []);
      setState({ kind: 'running', progress: null });
    },
    cancel() {
      worker.current?.terminate();
      fail('Cancelled. Nothing was decided.');
    },
  };
}

/** Old browsers can't run the script, and a file of an earlier version is gone. */
const NOT_STARTED = "The check didn't start. Reload the page. If that doesn't help, update your browser.";

function Status({ state }: { state: CheckState }) {
  if (state.kind === 'verdict') return <VerdictView verdict={state.verdict} />;
  if (state.kind !== 'running') return <p>{state.text}</p>;
  const { step, done, total } = state.progress ?? { step: 'Starting', done: 0, total: 0 };
  const of = total > done ? ` of ${formatCount(total)}` : '';
  // Screen readers would read hundreds of progress messages.
  return (
    <p aria-live="off" className="text-sm text-text-muted">
      {done > 0 ? `${step}: ${formatCount(done)}${of}` : step}
    </p>
  );
}

/** The endpoint that the page names. The local environment replaces it. */
const defaultRpcUrl = () => document.querySelector<HTMLMetaElement>('meta[name=log-rpc]')?.content ?? '';

/** The Content-Security-Policy allows https, and in the local environment the local chain. */
function findProblem(rpcUrl: string): string | null {
  const isAllowed = rpcUrl === '' || rpcUrl === defaultRpcUrl() || URL.parse(rpcUrl)?.protocol === 'https:';
  return isAllowed ? null : 'Enter an address that begins with https://, or none.';
}
