ALTER TABLE `call_events` ADD `level` text CONSTRAINT "call_events_level" CHECK((kind = 'level_hit') = (level IS NOT NULL));
--> statement-breakpoint
ALTER TABLE `call_events` ADD `price` text CONSTRAINT "call_events_price" CHECK((kind = 'level_hit') = (price IS NOT NULL));
--> statement-breakpoint
CREATE TABLE `level_checks` (
	`mint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `level_checks_due` ON `level_checks` (`due_at`,`mint`);
--> statement-breakpoint
CREATE INDEX `level_checks_seen` ON `level_checks` (`seen_at`);
--> statement-breakpoint
CREATE TRIGGER level_hits_no_update BEFORE UPDATE OF id, kind, call_id, caller_id, update_id, level, price, at ON call_events
WHEN OLD.kind = 'level_hit' OR NEW.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER level_hits_no_delete BEFORE DELETE ON call_events WHEN OLD.kind = 'level_hit'
BEGIN SELECT RAISE(ABORT, 'a hit level is never deleted'); END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without running triggers for deletion.
CREATE TRIGGER level_hits_no_replace BEFORE INSERT ON call_events
WHEN EXISTS (SELECT 1 FROM call_events WHERE id = NEW.id AND kind = 'level_hit')
BEGIN SELECT RAISE(ABORT, 'a hit level is never written over'); END;
