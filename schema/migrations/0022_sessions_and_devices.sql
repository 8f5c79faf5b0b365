CREATE TABLE `devices` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`label` text NOT NULL,
	`at` integer NOT NULL,
	`last_sign_in_at` integer NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_user_token` ON `devices` (`user_id`,`token_hash`);--> statement-breakpoint
CREATE INDEX `devices_last_sign_in` ON `devices` (`last_sign_in_at`);--> statement-breakpoint
CREATE INDEX `devices_untold` ON `devices` (`at`) WHERE queued_at IS NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device_hash` text;