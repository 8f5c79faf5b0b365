CREATE TABLE `call_holdings` (
	`call_id` text PRIMARY KEY NOT NULL,
	`wallets` text NOT NULL,
	`due_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`covers` text,
	`state` text,
	`found` text,
	FOREIGN KEY (`call_id`) REFERENCES `calls`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "call_holdings_read" CHECK(("call_holdings"."covers" IS NULL) = ("call_holdings"."state" IS NULL)),
	CONSTRAINT "call_holdings_found" CHECK(("call_holdings"."found" IS NOT NULL) = ("call_holdings"."state" IS 'complete'))
);
--> statement-breakpoint
CREATE INDEX `call_holdings_due` ON `call_holdings` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `holdings` text;--> statement-breakpoint
CREATE TRIGGER calls_holdings_opened AFTER INSERT ON calls
BEGIN
  INSERT INTO call_holdings (call_id, wallets, due_at)
  SELECT NEW.id, json_group_array(address), COALESCE(NEW.ended_at, NEW.called_at)
  FROM wallets
  WHERE user_id = NEW.caller_id AND proven_at <= COALESCE(NEW.ended_at, NEW.called_at);
END;
--> statement-breakpoint
-- Adds the row of a call that was made before this migration.
CREATE TRIGGER calls_holdings_ended AFTER UPDATE OF ended_at ON calls
WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM call_holdings WHERE call_id = NEW.id AND covers = 'end')
BEGIN
  INSERT INTO call_holdings (call_id, wallets, due_at)
  SELECT NEW.id, json_group_array(address), NEW.ended_at
  FROM wallets
  WHERE user_id = NEW.caller_id AND proven_at <= NEW.ended_at
  ON CONFLICT (call_id) DO UPDATE SET due_at = excluded.due_at, tries = 0, wallets = (
    SELECT json_group_array(value) FROM (
      SELECT value FROM json_each(call_holdings.wallets) UNION SELECT value FROM json_each(excluded.wallets)));
END;
--> statement-breakpoint
CREATE TRIGGER call_holdings_fixed BEFORE UPDATE ON call_holdings WHEN OLD.covers = 'end'
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER call_holdings_no_replace BEFORE INSERT ON call_holdings
WHEN EXISTS (SELECT 1 FROM call_holdings WHERE call_id = NEW.call_id AND covers = 'end')
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER call_holdings_stay BEFORE DELETE ON call_holdings
BEGIN SELECT RAISE(ABORT, 'what a caller held and sold is never deleted'); END;
