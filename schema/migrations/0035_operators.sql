CREATE TABLE `hidden_texts` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`)
);
--> statement-breakpoint
CREATE TABLE `operator_audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`operator_x_id` text NOT NULL,
	`action` text NOT NULL,
	`subject_id` text NOT NULL,
	`reason` text NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_audit_id` ON `operator_audit` (`id`);--> statement-breakpoint
CREATE INDEX `operator_audit_subject` ON `operator_audit` (`subject_id`,`seq`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`reporter_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`caller_id` text NOT NULL,
	`reason` text NOT NULL,
	`text` text,
	`at` integer NOT NULL,
	`resolved_at` integer,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`caller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_one_open` ON `reports` (`kind`,`subject_id`,`reporter_id`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`at`) WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX `reports_of_reporter` ON `reports` (`reporter_id`,`at`);--> statement-breakpoint
ALTER TABLE `callers` ADD `is_suspended` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `callers` ADD `is_hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `failed_deliveries` ADD `resend_at` integer;--> statement-breakpoint
CREATE INDEX `failed_deliveries_to_resend` ON `failed_deliveries` (`resend_at`) WHERE resend_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `is_suspended` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `is_hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `users_hidden` ON `users` (`id`) WHERE is_hidden = 1;--> statement-breakpoint
CREATE INDEX `wallets_by_address` ON `wallets` (`address`);--> statement-breakpoint
CREATE TRIGGER callers_are_restricted_with_users AFTER UPDATE OF is_suspended, is_hidden ON users
WHEN (NEW.is_suspended, NEW.is_hidden) IS NOT (OLD.is_suspended, OLD.is_hidden)
BEGIN
  UPDATE callers SET is_suspended = NEW.is_suspended, is_hidden = NEW.is_hidden WHERE caller_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER operator_audit_no_update BEFORE UPDATE ON operator_audit
BEGIN SELECT RAISE(ABORT, 'the audit of operators is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER operator_audit_no_delete BEFORE DELETE ON operator_audit
BEGIN SELECT RAISE(ABORT, 'the audit of operators is never deleted'); END;
--> statement-breakpoint
CREATE TRIGGER operator_audit_no_replace BEFORE INSERT ON operator_audit
WHEN EXISTS (SELECT 1 FROM operator_audit WHERE id = NEW.id OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the audit of operators is never written over'); END;
