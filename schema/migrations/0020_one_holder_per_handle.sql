-- Only the account that signed in last may have the handle.
UPDATE users SET twitter_handle = 'user-' || x_user_id
WHERE EXISTS (
  SELECT 1 FROM users newer
  WHERE newer.twitter_handle = users.twitter_handle COLLATE NOCASE
    AND (newer.updated_at > users.updated_at OR (newer.updated_at = users.updated_at AND newer.id > users.id)));
--> statement-breakpoint
DROP INDEX `users_twitter_handle`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_twitter_handle` ON `users` ("twitter_handle" COLLATE NOCASE);
