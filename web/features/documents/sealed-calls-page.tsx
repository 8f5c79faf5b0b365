import { PAGES } from '#schema/rules/text/page-texts.ts';
import { BulletList, Section } from '#web/ui/lists/section.tsx';

export function SealedCallsPage() {
  return (
    <div className="desk py-6 md:py-10">
      <article className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{PAGES['/sealed-calls'].title}</h1>
        <p className="mt-4">
          Every opening, update and end of a call is an entry of a public log that only grows. Anybody can
          check that a caller's record is complete and unedited. While a call is active, its content stays
          secret: its entries are sealed, and its end opens them.
        </p>
        <Section id="proven" title="What Verify checks">
          <BulletList>
            <li>
              <b>No call is missing or changed.</b> Each caller's entries are numbered, and each one has the
              hash of the one before. Your browser reads the whole log and compares it with our signature,
              with what was written to Solana, and with what it saw at earlier checks.
            </li>
            <li>
              <b>A call was opened and ended when it says,</b> to within 15 minutes. Every five minutes, the
              log's hash is written to Solana.
            </li>
            <li>
              <b>A call wasn't chosen afterwards.</b> The sealed opening fixes token, price, time and text
              before anybody knows how it goes.
            </li>
            <li>
              <b>The site shows what the log says:</b> ended calls, figures, names and theses, and the order
              of the directory.
            </li>
          </BulletList>
        </Section>
        <Section id="not-proven" title="What it can't prove">
          <BulletList>
            <li>
              <b>Prices.</b> The log has hashes of the sources' quotes. The sources might have been wrong.
            </li>
            <li>
              <b>The minute.</b> On a small token, 15 minutes can be a large gain. If an entry reaches Solana
              later, its time is unproven: our fault, and a gain from it counts as 0 in Proven, but in full in
              Win Rate and Avg Return.
            </li>
            <li>
              <b>A first check</b> trusts the key and the wallet that this site names. Compare them with the
              README.
            </li>
            <li>
              <b>A call that we refuse to log</b> leaves no trace. Its caller gets an error.
            </li>
            <li>
              <b>Who a caller is,</b> and peaks, wallets, bios and subscribers. They aren't in the log. A
              caller may have an earlier record under another account.
            </li>
          </BulletList>
        </Section>
        <Section id="secrets" title="What a sealed entry shows">
          <p>
            That its caller opened or updated a call in that minute, and which of the two. Nothing of its
            content.
          </p>
        </Section>
        <Section id="verify" title="Without our page">
          <p>
            The page that checks comes from us, too. You can use the log's files and a program of your own
            instead. They follow RFC 6962 and C2SP's tlog-tiles: <LogFile path="/log/key" />,{' '}
            <LogFile path="/log/checkpoint" />.
          </p>
        </Section>
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
