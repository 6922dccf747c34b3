ALTER TABLE `sessions` ADD `family_id` bigint;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `absolute_until_ms` bigint;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `device_name` varchar(64);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `retires_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `successor_jti` varchar(64);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `successor_expires_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `sign_in_challenges` ADD `cookie_digest` varchar(64);
