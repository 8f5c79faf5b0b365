CREATE TABLE `acceptances` (
	`user_id` text NOT NULL,
	`document` text NOT NULL,
	`version` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `document`, `version`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TRIGGER acceptances_no_update BEFORE UPDATE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER acceptances_no_delete BEFORE DELETE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are append-only'); END;
--> statement-breakpoint
-- A second acceptance of the same version keeps the time of the first one.
CREATE TRIGGER acceptances_no_replace BEFORE INSERT ON acceptances
WHEN EXISTS (SELECT 1 FROM acceptances WHERE user_id = NEW.user_id AND document = NEW.document AND version = NEW.version)
BEGIN SELECT RAISE(IGNORE); END;
