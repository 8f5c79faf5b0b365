import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { Prose } from '#web/ui/prose.tsx';
import text from './sealed-calls.md?raw';

export function SealedCallsPage() {
  const { title } = PAGES['/sealed-calls'];
  usePageTitle(title);
  return (
    <div className="desk py-6 md:py-10">
      <article className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{title}</h1>
        <Prose
          text={text}
          values={{ key: <LogFile path="/log/key" />, checkpoint: <LogFile path="/log/checkpoint" /> }}
        />
      </article>
    </div>
  );
}

function LogFile({ path }: { path: string }) {
  return (
    <a href={path} className="font-mono text-sm link">
      {path}
    </a>
  );
}
