import { PAGES } from '#schema/rules/text/page-texts.ts';
import { DocumentSection, BulletList } from './document-page.tsx';

export function SealedCallsPage() {
  return (
    <div className="desk py-6 md:py-10">
      <article className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{PAGES['/sealed-calls'].title}</h1>
        <p className="mt-4">
          Every opening, update and end of a call is an entry of a public log that only grows. Anybody can
          check that a caller's record is complete and unedited, without trusting us. Active calls stay
          secret.
        </p>
        <DocumentSection id="sealed" title="How a call is sealed">
          <p>
            When a call is made, the log gets a sealed entry: a hash of the call and of a random secret. It
            shows that its caller did something in that minute, and nothing else. When the call ends, the log
            gets the call and the secret, so that everybody can check that this is what was sealed.
          </p>
          <p>
            The caller gets a receipt: our signed promise that the entry is in the log within two minutes. The
            browser keeps it on the call's page.
          </p>
        </DocumentSection>
        <DocumentSection id="proven" title="What this proves">
          <BulletList>
            <li>A call was opened when it says, at the price that it says.</li>
            <li>
              No call is missing: each caller's entries are numbered, and each one names the one before.
            </li>
            <li>Nothing was edited later: every signed state of the log contains the earlier ones.</li>
            <li>Win Rate and Avg Return are those that the log gives.</li>
          </BulletList>
        </DocumentSection>
        <DocumentSection id="not-proven" title="What this does not prove">
          <BulletList>
            <li>That a price was right when it was recorded. The log has only hashes of the quotes.</li>
            <li>That we accept every call. We could refuse to log one, and its caller would get an error.</li>
            <li>Who a caller is.</li>
            <li>Peaks, subscribers and open results, which aren't in the log.</li>
          </BulletList>
        </DocumentSection>
        <DocumentSection id="verify" title="Check it yourself">
          <p>
            Press “Verify this record” on a caller's page, or “Recompute this ranking” below the directory.
            Your browser then checks signatures, hashes, numbers and figures, and remembers the newest signed
            state, so that it notices if we ever change the log's past.
          </p>
          <p>
            The page that checks comes from us as well. To check without it, use the log's files and a program
            of your own. They follow RFC 6962 and C2SP's tlog-tiles: <LogFile path="/log/key" />,{' '}
            <LogFile path="/log/checkpoint" />.
          </p>
        </DocumentSection>
      </article>
    </div>
  );
}

function LogFile({ path }: { path: string }) {
  return (
    <a href={path} className="font-mono text-sm underline decoration-line-strong underline-offset-4">
      {path}
    </a>
  );
}
