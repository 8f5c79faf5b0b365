-- INSERT OR REPLACE deletes without a word to triggers on deletes, so what stands already refuses to be written again.
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = NEW.id OR signature = NEW.signature)
BEGIN SELECT RAISE(IGNORE); END;
--> statement-breakpoint
CREATE TRIGGER payment_intents_no_replace BEFORE INSERT ON payment_intents
WHEN EXISTS (SELECT 1 FROM payment_intents WHERE id = NEW.id OR reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'intents are never written again'); END;
--> statement-breakpoint
CREATE TRIGGER payment_ledger_no_replace BEFORE INSERT ON payment_ledger
WHEN EXISTS (SELECT 1 FROM payment_ledger WHERE id = NEW.id OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the payment ledger is never written over'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_paid_no_replace BEFORE INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM subscriptions WHERE payment_id IS NOT NULL AND (id = NEW.id OR payment_id = NEW.payment_id))
BEGIN SELECT RAISE(ABORT, 'a paid period is never written over'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_settled_stays BEFORE UPDATE OF settled_at ON subscriptions
WHEN OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at
BEGIN SELECT RAISE(ABORT, 'what is settled stays settled'); END;
--> statement-breakpoint
CREATE TRIGGER payment_broadcasts_no_delete BEFORE DELETE ON payment_broadcasts
BEGIN SELECT RAISE(ABORT, 'what was sent is never forgotten'); END;
