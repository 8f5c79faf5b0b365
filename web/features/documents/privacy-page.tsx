import {
  BACKUPS_KEPT_MS,
  DAY_MS,
  DELETION_MAX_WAIT_MS,
  DELIVERIES_KEPT_MS,
  DEVICE_REMEMBERED_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_SLIDING_MS,
} from '#schema/constants.ts';
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { BulletList, Section } from '#web/ui/lists/section.tsx';
import { DocumentPage } from './document-page.tsx';
import { OperatorDetails } from './operator.tsx';

const days = (ms: number) => `${ms / DAY_MS} days`;

export function PrivacyPage() {
  return (
    <DocumentPage
      document="privacy"
      summary="We store what the product needs to work. We show no advertisements, sell no data and use no tracking cookies."
    >
      <Section id="operator" title="Who is responsible">
        <OperatorDetails />
      </Section>
      <StoredSection />
      <PublicSection />
      <ReceiversSection />
      <Section id="browser" title="In your browser">
        <BulletList>
          <li>
            <b>Cookies:</b> one keeps you signed in, one recognises the browser at your next sign-in so that
            we can report new devices, and one exists for ten minutes while you sign in. Scripts can't read
            them.
          </li>
          <li>
            <b>Storage:</b> your theme, the wallet you used last, texts that you haven't sent yet, a payment
            that isn't finished, and the part of the public log that you verified, with the endpoint you chose
            for it.
          </li>
        </BulletList>
      </Section>
      <RetentionSection />
      <Section id="rights" title="Your choices">
        <BulletList>
          <li>
            <b>Export my data</b> on the dashboard downloads everything that we store about you as one JSON
            file.
          </li>
          <li>
            <b>Delete my account</b> on the dashboard erases your personal data at once: the data from X, your
            wallets, Telegram chat, sessions and devices. The texts of your calls and updates are hidden at
            once and erased within minutes. If you are a caller with paid subscribers, only your email,
            Telegram chat and devices are erased at once, and the rest when the last paid period ends, at the
            latest after {days(DELETION_MAX_WAIT_MS)}. Payments stay in the ledger under a random number
            instead of your name, and a caller's ended calls stay in the record under "Deleted caller". The
            public log keeps entries about these calls, without names and texts. Changes of a payout wallet
            and the acceptance of these documents stay as evidence, under the same number.
          </li>
          <li>
            <b>After the deletion</b> of an account that was a caller's or is suspended, a keyed hash of your
            X id stays: a value from which nobody can compute the id without our secret key. If you sign in
            again with the same X account, the same account opens, empty. If you become a caller again, your
            record continues under your name. A suspension stays. So nobody can get rid of losses or a
            suspension.
          </li>
          <li>For everything else, write to the operator.</li>
          <li>You can complain to the data protection authority of your country.</li>
        </BulletList>
      </Section>
    </DocumentPage>
  );
}

function StoredSection() {
  return (
    <Section id="stored" title="What we store">
      <BulletList>
        <li>
          <b>From X, when you sign in:</b> your numeric id, a keyed hash of it, your handle, name, picture
          address and, if X sends it, your email address. No passwords. If you allow us to post for you, we
          also store X's access tokens, encrypted.
        </li>
        <li>
          <b>What you write:</b> your bio, and as a caller your calls with their thesis, target and stop, and
          your updates.
        </li>
        <li>
          <b>Public log, if you are a caller:</b> the names and handles that you had, and entries of your
          calls without texts.
        </li>
        <li>
          <b>Wallets:</b> the addresses that you connect, and the proof that they are yours. Never keys.
        </li>
        <li>
          <b>Payments:</b> the transaction, both wallets, the amounts, the time and the period that was paid,
          and refunds.
        </li>
        <li>
          <b>Subscriptions:</b> the callers that you follow, with the dates, and the callers that you have
          muted. The callers that you follow on paper, with the amount and the time. If you are a caller: the
          days by which your silence has extended subscriptions.
        </li>
        <li>
          <b>Telegram, if you connect it:</b> the handle, the chat's number and the messages that you have
          switched off. In a caller's channel or group: your number and name on Telegram, and since when you
          are there.
        </li>
        <li>
          <b>Notifications on a device, if you turn them on:</b> the address and the keys that your browser's
          maker has given the browser for them. We delete them when the session ends.
        </li>
        <li>
          <b>Sessions and devices:</b> the times of sign-ins and of each session's last use, and a label such
          as "Chrome on Windows". No network addresses.
        </li>
        <li>
          <b>API keys, if you create any:</b> their names, and the times of their creation and last use. Not
          the keys themselves.
        </li>
        <li>
          <b>Your webhook, if you set one:</b> its address, and its secret in encrypted form.
        </li>
        <li>
          <b>Acceptance:</b> the versions of these documents that you have accepted, with the time.
        </li>
        <li>
          <b>Reports:</b> the callers and calls that you report, with your reason. Only operators see them.
        </li>
        <li>
          <b>Page views</b> are counted by page and country, without anything that identifies you.
        </li>
      </BulletList>
    </Section>
  );
}

function PublicSection() {
  return (
    <Section id="public" title="What others see">
      <BulletList>
        <li>
          <b>Followers:</b> nothing on the site is public. A caller sees each payment with its wallet, but not
          who you are, unless you are a caller, too.
        </li>
        <li>
          <b>Callers:</b> your name, handle, picture, bio, fee, payout wallet, record and ended calls are
          public, and so are names and handles that you had. Search engines may index them. Active calls are
          shown to those who have access. The public log shows everybody that you opened a call, sent an
          update or had a text hidden in a minute, but not which of these.
        </li>
        <li>
          <b>On Solana</b> every payment is public for ever, with both wallets and the amounts. We can't
          change that.
        </li>
      </BulletList>
    </Section>
  );
}

function ReceiversSection() {
  return (
    <Section id="receivers" title="Who else gets data">
      <BulletList>
        <li>
          <b>Cloudflare</b> runs the site and stores its database. It sees your network address and keeps
          technical logs for a short time.
        </li>
        <li>
          <b>X</b> learns that you sign in here, and gets the posts that you send.
        </li>
        <li>
          <b>Telegram</b> gets the messages that we send to your chat.
        </li>
        <li>
          <b>Your browser's maker</b>, such as Google, Mozilla, Apple or Microsoft, passes on the
          notifications that you turn on. They are encrypted, so it can't read them.
        </li>
        <li>
          <b>Providers of Solana nodes</b> get the wallet addresses that you connect, and your signed
          transactions.
        </li>
        <li>
          <b>{ALL_PRICE_SOURCES}</b> get the tokens whose prices we ask for, but nothing about you.
        </li>
        <li>
          <b>Your wallet's maker</b> sees what you sign. Its own privacy notice applies.
        </li>
      </BulletList>
      <p>
        Your browser visits X when you sign in, and it talks to your wallet. If you verify a record, it also
        requests the Solana endpoint that the dialog names. All other requests come from our server, so the
        others don't see your network address. Pictures come through our server as well.
      </p>
    </Section>
  );
}

function RetentionSection() {
  return (
    <Section id="retention" title="How long we keep it">
      <BulletList>
        <li>
          A session ends {days(SESSION_SLIDING_MS)} after its last use and at the latest{' '}
          {days(SESSION_ABSOLUTE_MS)} after the sign-in. Logging out deletes it at once.
        </li>
        <li>A device is forgotten {days(DEVICE_REMEMBERED_MS)} after its last sign-in.</li>
        <li>Lists of sent messages are deleted after {days(DELIVERIES_KEPT_MS)}.</li>
        <li>Messages that are waiting to be sent exist for at most a day.</li>
        <li>Counters that limit how often you can do something exist for at most a day.</li>
        <li>The rest stays as long as your account exists.</li>
        <li>The ledger of payments and the record of calls stay for good, because others rely on them.</li>
        <li>
          Earlier states and nightly backups of the database exist for {days(BACKUPS_KEPT_MS)}, so that we can
          repair a mistake.
        </li>
      </BulletList>
    </Section>
  );
}
