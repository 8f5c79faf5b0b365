ALTER TABLE `callers` ADD `summary` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE callers SET summary = (
  SELECT json_object('first_name', first_name, 'last_name', last_name, 'twitter_handle', twitter_handle, 'profile_image_url', profile_image_url, 'is_verified', is_verified)
  FROM users WHERE id = callers.caller_id);--> statement-breakpoint
CREATE TRIGGER callers_start_with_summary AFTER INSERT ON callers
BEGIN
  UPDATE callers SET summary = (
    SELECT json_object('first_name', first_name, 'last_name', last_name, 'twitter_handle', twitter_handle, 'profile_image_url', profile_image_url, 'is_verified', is_verified)
    FROM users WHERE id = NEW.caller_id)
  WHERE caller_id = NEW.caller_id;
END;
--> statement-breakpoint
CREATE TRIGGER users_update_caller_summary AFTER UPDATE OF first_name, last_name, twitter_handle, profile_image_url, is_verified ON users
WHEN (NEW.first_name, NEW.last_name, NEW.twitter_handle, NEW.profile_image_url, NEW.is_verified)
  IS NOT (OLD.first_name, OLD.last_name, OLD.twitter_handle, OLD.profile_image_url, OLD.is_verified)
BEGIN
  UPDATE callers SET summary = json_object('first_name', NEW.first_name, 'last_name', NEW.last_name, 'twitter_handle', NEW.twitter_handle, 'profile_image_url', NEW.profile_image_url, 'is_verified', NEW.is_verified)
  WHERE caller_id = NEW.id;
END;
