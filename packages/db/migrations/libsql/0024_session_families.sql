ALTER TABLE `sessions` ADD `family_id` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `absolute_until_ms` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `device_name` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `retires_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `successor_jti` text;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `successor_expires_at_ms` integer;
--> statement-breakpoint
ALTER TABLE `sign_in_challenges` ADD `cookie_digest` text;
