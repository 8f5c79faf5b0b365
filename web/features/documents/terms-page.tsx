import { Link } from '@tanstack/react-router';
import {
  DAY_MS,
  CALL_AUTO_END_MS,
  DELETION_MAX_WAIT_MS,
  PLATFORM_FEE_PERCENT,
  PRODUCT_NAME,
  SUBSCRIPTION_PERIOD_MS,
  UNPRICED_END_MS,
} from '#schema/constants.ts';
import { BulletList, Section } from '#web/ui/lists/section.tsx';
import { DocumentPage } from './document-page.tsx';
import { OperatorDetails } from './operator.tsx';

const periodDays = SUBSCRIPTION_PERIOD_MS / DAY_MS;

export function TermsPage() {
  return (
    <DocumentPage
      document="terms"
      summary={
        <>
          These terms apply between you and the operator of this site. You accept them once, before your first
          payment and before you become a caller. If they change, we ask you again before your next payment.
        </>
      }
    >
      <Section id="operator" title="Operator">
        <OperatorDetails />
      </Section>
      <Section id="service" title="What we offer">
        <p>
          Callers publish token calls on {PRODUCT_NAME}: a token, its price at that moment, and later the
          price at which the call ends. Followers subscribe to see the active calls. We record the prices and
          show each caller's record. We don't write, check or recommend calls, and we don't hold your money or
          your keys.
        </p>
      </Section>
      <Section id="account" title="Your account">
        <BulletList>
          <li>You sign in with X. Protect your X account: anyone who controls it can sign in as you.</li>
          <li>You are responsible for what you publish and for the wallets that you connect.</li>
          <li>You can download your data or delete your account on the dashboard at any time.</li>
        </BulletList>
      </Section>
      <Section id="payments" title="Payments">
        <BulletList>
          <li>
            A subscription costs the price in the dialog and lasts {periodDays} days. It never renews by
            itself.
          </li>
          <li>
            You pay in SOL from your own wallet, in one transaction: {100 - PLATFORM_FEE_PERCENT}% goes to the
            caller and {PLATFORM_FEE_PERCENT}% to the platform. The network's fee comes on top.
          </li>
          <li>
            A transaction on Solana can't be reversed. We can't refund money that a caller has received. If a
            payment was recorded wrongly, contact the operator.
          </li>
          <li>
            If a caller is suspended, paid time runs on until its end, but there may be no new calls. If a
            caller deletes the account, there are no new calls, and the account is deleted when the last paid
            period ends, at the latest after {DELETION_MAX_WAIT_MS / DAY_MS} days. What is left of longer
            periods, the caller owes you. Your receipt says how much.
          </li>
        </BulletList>
      </Section>
      <CallersSection />
      <LimitsSection />
    </DocumentPage>
  );
}

function CallersSection() {
  return (
    <Section id="callers" title="If you are a caller">
      <BulletList>
        <li>
          Calls can't be edited or deleted. Ended calls stay in the public record, even if you delete your
          account. Then they are shown under "Deleted caller".
        </li>
        <li>
          We end a call that has been open for {CALL_AUTO_END_MS / DAY_MS} days, and one that no source has
          priced for {UNPRICED_END_MS / DAY_MS} days.
        </li>
        <li>Mark a call as a paid promotion if anyone pays you for it.</li>
        <li>Don't pretend to be somebody else, and don't publish calls to manipulate a market.</li>
        <li>You pay your own taxes on what you earn.</li>
      </BulletList>
    </Section>
  );
}

function LimitsSection() {
  return (
    <Section id="limits" title="Limits">
      <BulletList>
        <li>
          Don't attack, overload or scrape the site, and don't try to see calls that you have no access to.
        </li>
        <li>
          The operator may hide a text or suspend a caller who breaks these terms or the law. Every such
          action is recorded with its reason.
        </li>
        <li>
          The site may be down, and prices or messages may be late or missing. We don't promise that calls
          make money. The{' '}
          <Link to="/risk" className="underline underline-offset-4">
            risks
          </Link>{' '}
          are part of these terms.
        </li>
        <li>Rights that the law of your country gives you as a consumer stay as they are.</li>
      </BulletList>
    </Section>
  );
}
