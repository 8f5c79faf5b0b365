ALTER TABLE `ledger_checks` ADD `scanned_address` text;--> statement-breakpoint
ALTER TABLE `ledger_checks` ADD `unread` text;--> statement-breakpoint
ALTER TABLE `ledger_checks` ADD `dust_transfers` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger_checks` ADD `dust_lamports` integer DEFAULT 0 NOT NULL;