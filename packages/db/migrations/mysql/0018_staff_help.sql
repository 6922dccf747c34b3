ALTER TABLE `members` ADD `banned_role_type` int;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_until_ms` bigint;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_at_ms` bigint;
--> statement-breakpoint
ALTER TABLE `members` ADD `banned_by_id` bigint;
--> statement-breakpoint
ALTER TABLE `members` ADD `ban_reason` varchar(500);
--> statement-breakpoint
ALTER TABLE `members` ADD `deleted_by_id` bigint;
--> statement-breakpoint
ALTER TABLE `personnel_grants` ADD `ended_with_member` boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `affiliates` ADD `ended_with_member` boolean DEFAULT false NOT NULL;
