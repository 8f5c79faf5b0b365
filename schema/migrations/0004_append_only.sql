-- What was paid before there was a ledger: its lines follow from the payments and their periods.
INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
SELECT lower(hex(randomblob(16))), p.id, 'granted', p.slot, s.starts_at, s.ends_at, p.created_at
FROM payments p JOIN subscriptions s ON s.payment_id = p.id ORDER BY p.created_at, p.id;
--> statement-breakpoint
UPDATE payment_broadcasts SET dead_at = rejected_at, last_valid_block_height = 0;
--> statement-breakpoint
CREATE TRIGGER payments_no_update BEFORE UPDATE ON payments
BEGIN SELECT RAISE(ABORT, 'payments are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER payments_no_delete BEFORE DELETE ON payments
BEGIN SELECT RAISE(ABORT, 'payments are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER payment_intents_pinned BEFORE UPDATE OF id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at ON payment_intents
BEGIN SELECT RAISE(ABORT, 'the terms of an intent are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER payment_intents_no_delete BEFORE DELETE ON payment_intents
BEGIN SELECT RAISE(ABORT, 'intents are never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER payment_ledger_no_update BEFORE UPDATE ON payment_ledger
BEGIN SELECT RAISE(ABORT, 'the payment ledger is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER payment_ledger_no_delete BEFORE DELETE ON payment_ledger
BEGIN SELECT RAISE(ABORT, 'the payment ledger is never deleted from'); END;
--> statement-breakpoint
CREATE TRIGGER payment_ledger_follows BEFORE INSERT ON payment_ledger
WHEN NOT (CASE
  WHEN NEW.kind = 'granted' THEN
    (SELECT kind FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1) IS NOT 'granted'
  WHEN NEW.kind = 'moved' THEN
    (SELECT kind FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1) IS 'granted'
  ELSE
    (SELECT kind FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1) IS 'granted'
    AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'settled')
END)
BEGIN SELECT RAISE(ABORT, 'this line of the payment ledger cannot follow those before it'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_paid_insert BEFORE INSERT ON subscriptions
WHEN NEW.payment_id IS NOT NULL AND (NEW.starts_at, NEW.ends_at) IS NOT
  (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'moved', 'revoked') ORDER BY seq DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_paid_apart BEFORE INSERT ON subscriptions
WHEN NEW.payment_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM subscriptions
  WHERE subscriber_id = NEW.subscriber_id AND caller_id = NEW.caller_id AND starts_at < NEW.ends_at AND (ends_at IS NULL OR ends_at > NEW.starts_at))
BEGIN SELECT RAISE(ABORT, 'periods of a pair never overlap'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_paid_update BEFORE UPDATE OF id, subscriber_id, caller_id, payment_id, starts_at, ends_at ON subscriptions
WHEN (OLD.payment_id IS NOT NULL OR NEW.payment_id IS NOT NULL) AND (
  (OLD.id, OLD.subscriber_id, OLD.caller_id, OLD.payment_id) IS NOT (NEW.id, NEW.subscriber_id, NEW.caller_id, NEW.payment_id)
  OR (NEW.starts_at, NEW.ends_at) IS NOT
    (SELECT starts_at, ends_at FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind IN ('granted', 'moved', 'revoked') ORDER BY seq DESC LIMIT 1))
BEGIN SELECT RAISE(ABORT, 'a paid period is the one in the payment ledger'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_paid_delete BEFORE DELETE ON subscriptions
WHEN OLD.payment_id IS NOT NULL AND
  (SELECT kind FROM payment_ledger WHERE payment_id = OLD.payment_id AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1) IS NOT 'revoked'
BEGIN SELECT RAISE(ABORT, 'a paid period goes only with its payment'); END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_settled BEFORE UPDATE OF settled_at ON subscriptions
WHEN NEW.settled_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = NEW.payment_id AND kind = 'settled')
BEGIN SELECT RAISE(ABORT, 'a period is settled by its payment'); END;
--> statement-breakpoint
CREATE TRIGGER payment_orphans_no_delete BEFORE DELETE ON payment_orphans
BEGIN SELECT RAISE(ABORT, 'orphans are resolved, never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER callers_payout_change AFTER UPDATE OF payout_address ON callers
WHEN OLD.payout_address IS NOT NEW.payout_address
BEGIN
  INSERT INTO payout_changes (caller_id, old_address, new_address, at) VALUES (NEW.caller_id, OLD.payout_address, NEW.payout_address, NEW.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER payout_changes_no_update BEFORE UPDATE OF seq, caller_id, old_address, new_address, at ON payout_changes
BEGIN SELECT RAISE(ABORT, 'changes of a payout wallet are never changed'); END;
--> statement-breakpoint
CREATE TRIGGER payout_changes_no_delete BEFORE DELETE ON payout_changes
BEGIN SELECT RAISE(ABORT, 'changes of a payout wallet are never deleted'); END;
