CREATE TABLE `active_mints` (
	`mint` text PRIMARY KEY NOT NULL,
	`shard` integer GENERATED ALWAYS AS ((coalesce(unicode(substr(mint, 5, 1)), 0) * 27512614111 + coalesce(unicode(substr(mint, 6, 1)), 0) * 887503681 + coalesce(unicode(substr(mint, 7, 1)), 0) * 28629151 + coalesce(unicode(substr(mint, 8, 1)), 0) * 923521 + coalesce(unicode(substr(mint, 9, 1)), 0) * 29791 + coalesce(unicode(substr(mint, 10, 1)), 0) * 961 + coalesce(unicode(substr(mint, 11, 1)), 0) * 31 + coalesce(unicode(substr(mint, 12, 1)), 0) * 1) % 16) VIRTUAL NOT NULL
);
--> statement-breakpoint
CREATE INDEX `active_mints_by_shard` ON `active_mints` (`shard`,`mint`);--> statement-breakpoint
DROP INDEX `calls_active_mints`;--> statement-breakpoint
CREATE INDEX `calls_active_mints` ON `calls` (`token_mint`,`called_at`) WHERE ended_at IS NULL;--> statement-breakpoint
INSERT INTO `active_mints` (mint) SELECT DISTINCT token_mint FROM calls WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TRIGGER calls_add_active_mint AFTER INSERT ON calls WHEN NEW.ended_at IS NULL
BEGIN
  INSERT INTO active_mints (mint) VALUES (NEW.token_mint) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER calls_remove_active_mint AFTER UPDATE OF ended_at ON calls WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
BEGIN
  DELETE FROM active_mints
  WHERE mint = NEW.token_mint AND NOT EXISTS (SELECT 1 FROM calls WHERE token_mint = NEW.token_mint AND ended_at IS NULL);
END;
--> statement-breakpoint
-- Without rowids, the primary key is the table itself, so a closing price is two written rows instead of three.
CREATE TABLE `price_closes_copy` (
	`mint` text NOT NULL,
	`at` integer NOT NULL,
	`price` text NOT NULL,
	PRIMARY KEY(`mint`, `at`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `price_closes_copy` (mint, at, price) SELECT mint, at, price FROM `price_closes` ORDER BY mint, at;--> statement-breakpoint
DROP TABLE `price_closes`;--> statement-breakpoint
ALTER TABLE `price_closes_copy` RENAME TO `price_closes`;--> statement-breakpoint
CREATE INDEX `price_closes_by_time` ON `price_closes` (`at`);
