CREATE TABLE `endpoint_outages` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`alarmed_at` integer
);
--> statement-breakpoint
ALTER TABLE `payment_intents` ADD `next_check_at` integer DEFAULT 0;--> statement-breakpoint
-- Intents over a day old are not checked again.
UPDATE `payment_intents` SET `next_check_at` = NULL WHERE `created_at` < (unixepoch() - 86400) * 1000;--> statement-breakpoint
DROP INDEX `payment_intents_created`;--> statement-breakpoint
CREATE INDEX `payment_intents_due` ON `payment_intents` (`next_check_at`) WHERE next_check_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_broadcasts` ADD `signed_bytes` text;--> statement-breakpoint
ALTER TABLE `payment_broadcasts` ADD `next_send_at` integer;--> statement-breakpoint
CREATE INDEX `payment_broadcasts_due` ON `payment_broadcasts` (`next_send_at`) WHERE next_send_at IS NOT NULL;
